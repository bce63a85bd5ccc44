import { compareField, type Side } from './compare-field.js';
import { alternatives, type Schema } from './find-schema.js';
import type { Fields, Row } from './row.js';

type Content = Record<string, { schema: Schema }>;

/** An operation in a machine-readable description (OpenAPI 3.1), as far as it is compared. */
export interface DescribedOperation {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
  security?: unknown[];
  'x-svc-min-vault-role'?: string;
}

/** Statuses of the whole interface, which the document does not list with each operation. */
const SHARED = [403, 404, 413, 429, 503, 507];

/** The differences between a described operation and the document; empty if there are none. */
export function compareOperation(row: Row, described: DescribedOperation): string[] {
  const [status, ...others] = Object.keys(described.responses).filter((code) => code < '400');
  const response = described.responses[status ?? '']?.content?.['application/json']?.schema;
  return [
    ...compareFields('path', row.path, parametersOf(described, 'path'), 'request'),
    ...compareFields('query', row.query, parametersOf(described, 'query'), 'request'),
    ...compareFields('body', row.body, described.requestBody?.content['application/json']?.schema, 'request'),
    ...compareResponse(row, response),
    ...(row.status === undefined || status === String(row.status)
      ? []
      : [`responds with ${status}, not ${row.status}`]),
    ...others.map((code) => `also responds with ${code}`),
    ...compareErrors(row, described),
    ...compareAccess(row, described),
  ];
}

/** The parameters of one kind as the schema of one object. */
function parametersOf({ parameters = [] }: DescribedOperation, kind: 'path' | 'query'): Schema {
  const matching = parameters.filter((parameter) => parameter.in === kind);
  return {
    type: 'object',
    properties: Object.fromEntries(matching.map(({ name, schema }) => [name, schema])),
    required: matching.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** The differences between the fields of one part, each with the name of the part. */
export function compareFields(part: string, fields: Fields | undefined, schema: Schema = {}, side: Side): string[] {
  if (!fields) return [];
  // A path parameter is always required. The document states it once for all operations.
  const withRequired = (words: string) => (part === 'path' ? `${words}, req` : words);
  const problems = Object.entries(fields).flatMap(([name, words]) =>
    compareField(schema, name, withRequired(words), side).map((problem) => `${part}.${name} ${problem}`),
  );
  return side === 'request' ? [...problems, ...findUndocumentedRequired(part, fields, schema)] : problems;
}

/** The service must not require fields that the document does not have. */
function findUndocumentedRequired(part: string, fields: Fields, schema: Schema): string[] {
  const required = alternatives(schema).flatMap((one) => one.required ?? []);
  return required.filter((name) => !(name in fields)).map((name) => `${part}.${name} is required and not documented`);
}

function compareResponse({ response }: Row, schema: Schema | undefined): string[] {
  if (response === 'nothing') return schema === undefined ? [] : ['responds with a body'];
  return compareFields('response', response, schema, 'response');
}

function compareErrors({ errors }: Row, { responses }: DescribedOperation): string[] {
  if (!errors) return [];
  const listed = Object.keys(responses)
    .map(Number)
    .filter((code) => code >= 400);
  return [
    ...errors.filter((code) => !listed.includes(code)).map((code) => `does not list ${code}`),
    ...listed.filter((code) => ![...errors, ...SHARED].includes(code)).map((code) => `lists ${code}`),
  ];
}

function compareAccess({ isPublic = false, minVaultRole }: Row, described: DescribedOperation): string[] {
  const isOpen = described.security?.length === 0;
  const role = described['x-svc-min-vault-role'];
  return [
    ...(isOpen === isPublic ? [] : [isOpen ? 'requires no credentials' : 'requires credentials']),
    ...(minVaultRole === undefined || role === minVaultRole ? [] : [`requires ${role}, not ${minVaultRole}`]),
  ];
}
