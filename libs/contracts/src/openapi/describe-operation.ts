import { SESSION_HEADER, returnsTokens } from '../auth/session-tokens.js';
import { HTTP_STATUS, type ErrorCode } from '../kit/api-error.js';
import type { AnyOperation } from '../kit/operation.js';
import { PERMISSIONS } from '../kit/permissions.js';
import { describeContent, describeRequestBody } from './describe-body.js';
import { EXAMPLES } from './examples/all-examples.js';
import type { Content } from './examples/operation-example.js';
import type { Json, SchemaCollection } from './schema-collection.js';
import { tagOf } from './tags.js';

/** Describes one operation as an OpenAPI operation object. */
export function describeOperation(operation: AnyOperation, schemas: SchemaCollection): Json {
  const { name, summary, description, access } = operation;
  const { params = {}, query = {}, request, response } = EXAMPLES[name] ?? {};
  const body = addExample(describeRequestBody(operation, schemas), request);
  return {
    operationId: name,
    tags: [tagOf(name)],
    summary,
    ...(description !== undefined && { description }),
    ...(access.kind === 'public' && { security: [] }),
    ...(operation.sessionOnly && { security: [{ session: [] }, { sessionCookie: [] }] }),
    ...roleOf(operation),
    parameters: [
      ...parameters(operation, 'params', schemas, params),
      ...parameters(operation, 'query', schemas, query),
      ...headers(operation),
    ],
    ...(body && { requestBody: body }),
    responses: responses(operation, body !== null, schemas, response),
  };
}

function responses(
  operation: AnyOperation,
  hasBody: boolean,
  schemas: SchemaCollection,
  example: Content | undefined,
): Json {
  const content = describeContent(operation, schemas);
  const success = { description: 'Success', ...(content && { content }) };
  return {
    [operation.status]: addExample(success, example),
    ...Object.fromEntries(errorStatuses(operation, hasBody).map((code) => [code, ERROR])),
    ...(operation.transfer === 'download' && {
      206: { ...success, description: 'The requested range (`Range`)' },
      304: { description: 'The cached copy of the client is current (`If-None-Match`)' },
      416: ERROR,
    }),
  };
}

/** Adds an example to the content with its media type. */
function addExample<Described extends Json | null>(described: Described, example: Content | undefined): Described {
  const content = described?.['content'] as Record<string, Json> | undefined;
  const media = example && content?.[example.type];
  if (!content || !media) return described;
  return { ...described, content: { ...content, [example.type]: { ...media, example: example.value } } };
}

const ERROR = { $ref: '#/components/responses/Error' };

/** The minimum role of an operation that maps to exactly one permission; empty for any other. */
function roleOf({ access, additionalPermissions }: AnyOperation): Json {
  if (access.kind !== 'granted' || access.anyOf.length !== 1 || Object.keys(additionalPermissions).length > 0)
    return {};
  const [row] = access.anyOf.map((name) => PERMISSIONS[name]);
  return { [row?.scope === 'vault' ? 'x-svc-min-vault-role' : 'x-svc-min-workspace-role']: row?.role };
}

const COMMON_ERRORS = [
  'validation_error',
  'rate_limited',
  'internal_error',
  'unavailable',
  'storage_full',
] as const satisfies ErrorCode[];

function errorStatuses(operation: AnyOperation, hasBody: boolean): number[] {
  const codes: ErrorCode[] = [...COMMON_ERRORS, ...operation.errors];
  if (operation.access.kind !== 'public') codes.push('unauthenticated', 'forbidden');
  if (operation.path.includes('{')) codes.push('not_found');
  // A page may be too large to be transferred.
  if (hasBody || operation.list !== null) codes.push('payload_too_large');
  return [...new Set(codes.map((code) => HTTP_STATUS[code]))].sort((a, b) => a - b);
}

function parameters(
  operation: AnyOperation,
  part: 'params' | 'query',
  schemas: SchemaCollection,
  examples: Record<string, string>,
): Json[] {
  const location = part === 'params' ? 'path' : 'query';
  const schema = schemas.describe(operation[part], 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(schema.properties ?? {}).map(([name, { description, ...property }]) => {
    const described = location === 'path' ? inPath(property) : property;
    return {
      name,
      in: location,
      required: location === 'path' || (schema.required ?? []).includes(name),
      ...(description !== undefined && { description }),
      schema: described,
      ...(examples[name] !== undefined && { example: toParameterValue(examples[name], described) }),
    };
  });
}

/** Parameters are text; their examples have the type of the schema. */
const toParameterValue = (text: string, { type }: Json): string | number =>
  type === 'integer' || type === 'number' ? Number(text) : text;

/** Numeric ids are strings in JSON, because not every client has 64-bit integers. In a path they are numbers. */
const inPath = (schema: Json): Json =>
  schema['format'] === 'int64' ? { type: 'integer', format: 'int64', minimum: 0 } : schema;

/** A signed request has no idempotency key, because its signed payload identifies it. */
const headers = (operation: AnyOperation): Json[] => [
  ...(operation.method === 'POST' && operation.transfer !== 'signed' ? [IDEMPOTENCY_KEY] : []),
  ...(operation.resumable ? [LAST_EVENT_ID] : []),
  ...(returnsTokens(operation) ? [SESSION_AS_COOKIES] : []),
];

const SESSION_AS_COOKIES = {
  name: SESSION_HEADER,
  in: 'header',
  required: false,
  description:
    'For pages in a browser: the response sets the tokens as cookies that no script can read, and its body has no ' +
    '`access`, `refresh` and `expiresAt`',
  schema: { type: 'string', enum: ['cookie'] },
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A repeated request with the same key and body within 24 hours gets the same response and has no further effect',
  schema: { type: 'string', maxLength: 255 },
};

const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'Id of the last event received; the stream resumes after it (WHATWG HTML, 9.2.4)',
  schema: { type: 'string', pattern: '^[0-9]{1,9}$' },
};
