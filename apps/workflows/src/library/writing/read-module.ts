import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input } from '@millrace/contracts/kit/operation';
import type {
  createModule,
  createModuleVersion,
  ModuleDefinition,
  ModuleType,
} from '@millrace/contracts/workflows/library';
import { findBadText } from '@millrace/graph/parse/find-bad-text';
import type { ModuleFile } from '@millrace/library/module-file';
import { InvalidModuleFileError, parseModuleFile, showProblem } from '@millrace/library/parse-module-file';
import { toDefinition, typeOfFile } from '@millrace/library/to-definition';
import { readModuleDefinition, readModuleType } from './read-module-definition.js';

export type ModuleBody = Input<typeof createModule>['body'] | Input<typeof createModuleVersion>['body'];

/** What a client wrote of a module, whichever way; `wraps` is what a MODULE is about. */
export interface ModuleInput {
  name?: string | undefined;
  type: ModuleType;
  facts: Facts;
  definition: ModuleDefinition;
  wraps: { snapshot: string } | { workflow: string } | null;
  /** Where in the body what is wrong with an input or the program is to be shown. */
  field: (problem: { port?: string }) => string;
}

/** What is known about a module and changes without a new version of it. */
export interface Facts {
  description?: string | undefined;
  category?: string | undefined;
  sourceUrl?: string | undefined;
  docLink?: string | undefined;
  licenseInfo?: string | undefined;
}

/** @throws ValidationError */
export function readModule(body: ModuleBody): ModuleInput {
  if (body.yaml !== undefined) return readYaml(body.yaml, body);
  refuseBadText(body, (path) => `body.${path}`);
  return readFields(body);
}

function refuseBadText(value: unknown, field: (path: string) => string): void {
  const bad = findBadText(value);
  if (bad !== null)
    throw new ValidationError({ [field([bad.path].flat().join('.'))]: `must not contain ${bad.problem}` });
}

function readFields(body: ModuleBody): ModuleInput {
  const type = readModuleType(body);
  const { category, source_url: sourceUrl, doc_link: docLink, license_info: licenseInfo } = body;
  const description = 'description' in body ? body.description : undefined;
  return {
    name: 'name' in body ? body.name : undefined,
    type,
    facts: { description, category, sourceUrl, docLink, licenseInfo },
    ...readModuleDefinition(type, body),
    field: ({ port }) => ['body', port === undefined ? programField(type) : `inputs.${port}`].join('.'),
  };
}

const programField = (type: ModuleType): string => ({ TOOL: 'container', SCRIPT: 'script', MODULE: 'snapshot' })[type];

function readYaml(yaml: string, body: ModuleBody): ModuleInput {
  const others = Object.entries(body).filter(([key, value]) => key !== 'yaml' && value !== undefined);
  const details = Object.fromEntries(others.map(([key]) => [`body.${key}`, 'does not go with yaml']));
  if (others.length > 0) throw new ValidationError(details);
  const file = parse(yaml);
  refuseBadText(file, () => 'body.yaml');
  const { name, description, category, source_url: sourceUrl, doc_link: docLink, license_info: licenseInfo } = file;
  return {
    name,
    type: typeOfFile(file),
    facts: { description, category, sourceUrl, docLink, licenseInfo },
    definition: toDefinition(file),
    wraps: null,
    field: () => 'body.yaml',
  };
}

function parse(yaml: string): ModuleFile {
  try {
    return parseModuleFile(yaml);
  } catch (error) {
    if (!(error instanceof InvalidModuleFileError)) throw error;
    const { problems } = error;
    const shown = problems.map(showProblem);
    throw new ValidationError({ 'body.yaml': shown.slice(0, 5).join('; '), errors: problems }, `The file is not valid`);
  }
}
