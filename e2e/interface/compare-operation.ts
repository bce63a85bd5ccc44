import { compareField, type Side } from './compare-field.js';
import { alternatives, type Schema } from './find-schema.js';
import type { Fields, Row } from './row.js';

type Content = Record<string, { schema: Schema }>;

/** An operation in a machine-readable description (OpenAPI 3.1), as far as it is compared. */
export interface Described {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
  security?: unknown[];
  'x-svc-min-vault-role'?: string;
}

/** Statuses of the whole interface, which the document does not list with each operation. */
const SHARED = [403, 404, 413, 429, 503, 507];

/** How a described operation differs from what the document says of it; nothing where it does not. */
export function compareOperation(row: Row, described: Described): string[] {
  const [status, ...others] = Object.keys(described.responses).filter((code) => code < '400');
  const answer = described.responses[status ?? '']?.content?.['application/json']?.schema;
  return [
    ...compareFields('path', row.path, parametersOf(described, 'path'), 'request'),
    ...compareFields('query', row.query, parametersOf(described, 'query'), 'request'),
    ...compareFields('body', row.body, described.requestBody?.content['application/json']?.schema, 'request'),
    ...compareAnswer(row, answer),
    ...(row.status === undefined || status === String(row.status) ? [] : [`answers ${status}, not ${row.status}`]),
    ...others.map((code) => `answers ${code} too`),
    ...compareErrors(row, described),
    ...compareAccess(row, described),
  ];
}

/** Parameters of one kind as one schema of an object. */
function parametersOf({ parameters = [] }: Described, where: string): Schema {
  const own = parameters.filter((parameter) => parameter.in === where);
  return {
    type: 'object',
    properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
    required: own.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** How the fields of one part differ, each under the name of the part. */
export function compareFields(part: string, fields: Fields | undefined, schema: Schema = {}, side: Side): string[] {
  if (!fields) return [];
  // A parameter of a path cannot be left out, which the document says once for all.
  const noted = (words: string) => (part === 'path' ? `${words}, req` : words);
  const problems = Object.entries(fields).flatMap(([name, words]) =>
    compareField(schema, name, noted(words), side).map((problem) => `${part}.${name} ${problem}`),
  );
  return side === 'request' ? [...problems, ...findDemanded(part, fields, schema)] : problems;
}

/** What the document does not know may not be wanted of its readers. */
function findDemanded(part: string, fields: Fields, schema: Schema): string[] {
  const demanded = alternatives(schema).flatMap(({ required = [] }) => required);
  return demanded.filter((name) => !(name in fields)).map((name) => `${part}.${name} is required and not documented`);
}

function compareAnswer({ answer }: Row, schema: Schema | undefined): string[] {
  if (answer === 'nothing') return schema === undefined ? [] : ['answers with a body'];
  return compareFields('answer', answer, schema, 'response');
}

function compareErrors({ errors }: Row, { responses }: Described): string[] {
  if (!errors) return [];
  const ours = Object.keys(responses)
    .map(Number)
    .filter((code) => code >= 400);
  return [
    ...errors.filter((code) => !ours.includes(code)).map((code) => `does not list ${code}`),
    ...ours.filter((code) => ![...errors, ...SHARED].includes(code)).map((code) => `lists ${code}`),
  ];
}

function compareAccess({ isPublic = false, minVaultRole }: Row, described: Described): string[] {
  const isOpen = described.security?.length === 0;
  const role = described['x-svc-min-vault-role'];
  return [
    ...(isOpen === isPublic ? [] : [isOpen ? 'wants no credentials' : 'wants credentials']),
    ...(minVaultRole === undefined || role === minVaultRole ? [] : [`wants ${role}, not ${minVaultRole}`]),
  ];
}
