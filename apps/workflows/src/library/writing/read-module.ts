import { ValidationError, type ErrorDetails } from '@millrace/contracts/kit/api-error';
import type { Input } from '@millrace/contracts/kit/operation';
import type {
  createModule,
  createModuleVersion,
  ModuleDefinition,
  ModuleType,
} from '@millrace/contracts/workflows/library';
import { analyseWorkflow } from '@millrace/graph/check/analyse-workflow';
import type { ProblemCode } from '@millrace/graph/check/problem';
import { findBadText } from '@millrace/graph/parse/find-bad-text';
import type { ModuleFile } from '@millrace/library/module-file';
import { InvalidModuleFileError, parseModuleFile, showProblem } from '@millrace/library/parse-module-file';
import { toDefinition, typeOfFile } from '@millrace/library/to-definition';
import { toNode } from '@millrace/library/to-node';
import { newId } from '@millrace/persistence/ids';
import { readModuleDefinition, readModuleType } from './read-module-definition.js';

export type ModuleBody = Input<typeof createModule>['body'] | Input<typeof createModuleVersion>['body'];

/** A module as a client describes it, by fields or by YAML. */
export interface ModuleInput {
  name?: string | undefined;
  type: ModuleType;
  metadata: ModuleMetadata;
  definition: ModuleDefinition;
  /** What a MODULE wraps; null for other types. */
  wraps: { snapshot: string } | { workflow: string } | null;
  /** The request field that a problem of an input or of the program refers to. */
  field: (problem: { port?: string }) => string;
}

/** What changes without a new version of the module. */
interface ModuleMetadata {
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

function refuseBadText(value: unknown, toField: (path: string) => string): void {
  const bad = findBadText(value);
  if (bad !== null)
    throw new ValidationError({ [toField([bad.path].flat().join('.'))]: `must not contain ${bad.problem}` });
}

function readFields(body: ModuleBody): ModuleInput {
  const type = readModuleType(body);
  const { category, source_url: sourceUrl, doc_link: docLink, license_info: licenseInfo } = body;
  const description = 'description' in body ? body.description : undefined;
  return {
    name: 'name' in body ? body.name : undefined,
    type,
    metadata: { description, category, sourceUrl, docLink, licenseInfo },
    ...readModuleDefinition(type, body),
    field: ({ port }) => ['body', port === undefined ? programField(type) : `inputs.${port}`].join('.'),
  };
}

/** `details` quotes this many problems; `errors` has them all. */
const MAX_SHOWN_PROBLEMS = 5;

const programField = (type: ModuleType): string => ({ TOOL: 'container', SCRIPT: 'script', MODULE: 'snapshot' })[type];

function readYaml(yaml: string, body: ModuleBody): ModuleInput {
  const extra = Object.entries(body).filter(([key, value]) => key !== 'yaml' && value !== undefined);
  const details = Object.fromEntries(extra.map(([key]) => [`body.${key}`, 'cannot be combined with `yaml`']));
  if (extra.length > 0) throw new ValidationError(details);
  const file = parse(yaml);
  refuseBadText(file, () => 'body.yaml');
  const { name, description, category, source_url: sourceUrl, doc_link: docLink, license_info: licenseInfo } = file;
  return {
    name,
    type: typeOfFile(file),
    metadata: { description, category, sourceUrl, docLink, licenseInfo },
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
    const texts = problems.map(showProblem);
    throw new ValidationError(
      { 'body.yaml': texts.slice(0, MAX_SHOWN_PROBLEMS).join('; '), errors: problems },
      'The module file is not valid.',
    );
  }
}

/** Problems that the user of a node fixes, not the module's author. */
const USER_PROBLEMS: readonly ProblemCode[] = ['missing_input', 'more_problems'];

/** Refuses a tool or script that could not run in any node. @throws ValidationError */
export function refuseBrokenModule({ name = 'module', type, definition, field }: ModuleInput): void {
  if (type === 'MODULE') return;
  const node = toNode({ ...definition, id: newId(), name, type });
  const { errors } = analyseWorkflow({ nodes: { [node.name]: node } }, {}, null);
  const broken = errors.list().filter(({ code }) => !USER_PROBLEMS.includes(code));
  if (broken.length === 0) return;
  const details: ErrorDetails = {};
  for (const problem of broken) details[field(problem)] ??= problem.message;
  throw new ValidationError({ ...details, errors: broken }, 'The module is not valid.');
}
