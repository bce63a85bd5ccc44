import { z } from 'zod';
import { errorBody, HTTP_STATUS, type ErrorCode } from './kit/api-error.js';
import type { AnyOperation } from './kit/operation.js';
import { permissionRows, PERMISSIONS, SPACE_ROLES, VAULT_ROLES } from './kit/permissions.js';
import { restOperations } from './registry.js';

type Json = Record<string, unknown>;

/** Describes every REST operation of the registry as an OpenAPI 3.1 document. */
export function describeApi(publicUrl?: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of restOperations) {
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describeOperation(operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millrace',
      version: '1.0.0',
      description:
        'Millrace is a workflow automation platform: build workflows, run them over many items, and query their ' +
        'results.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl ? `${publicUrl.replace(/\/$/, '')}/api` : '/api' }],
    security: [{ apiToken: [] }, { session: [] }],
    'x-svc-roles': roleModel(),
    paths,
    components: {
      securitySchemes: {
        apiToken: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Token <API token>`' },
        session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
      schemas: { Error: schemaOf(errorBody, 'output') },
    },
  };
}

function describeOperation(operation: AnyOperation): Json {
  const { name, summary, description, access } = operation;
  return {
    operationId: name,
    tags: [operation.tag],
    summary,
    ...(description !== undefined && { description }),
    ...(access.kind === 'public' && { security: [] }),
    ...(operation.sessionOnly && { security: [{ session: [] }] }),
    ...roleOf(operation),
    parameters: [
      ...parameters(operation, 'params', 'path'),
      ...parameters(operation, 'query', 'query'),
      ...headers(operation),
    ],
    ...requestBody(operation),
    responses: responses(operation),
  };
}

function responses(operation: AnyOperation): Json {
  const success = { description: 'Success', ...content(operation) };
  return {
    [operation.status]: success,
    ...Object.fromEntries(errorStatuses(operation).map((code) => [code, ERROR])),
    ...(operation.transfer === 'download' && {
      206: { ...success, description: 'The requested range (`Range`)' },
      304: { description: 'The cached copy of the client is current (`If-None-Match`)' },
      416: ERROR,
    }),
  };
}

const ERROR = {
  description: 'Failure',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

/** The permission matrix: the roles, strongest first, and the permissions of each. */
function roleModel(): Json {
  const rowsOf = (scope: 'vault' | 'space') =>
    permissionRows.filter((row) => row.scope === scope).map(({ name, may, roles }) => ({ name, may, roles }));
  return {
    vault: { roles: [...VAULT_ROLES].reverse(), permissions: rowsOf('vault') },
    space: { roles: [...SPACE_ROLES].reverse(), permissions: rowsOf('space') },
  };
}

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

function errorStatuses(operation: AnyOperation): number[] {
  const codes: ErrorCode[] = [...COMMON_ERRORS, ...operation.errors];
  if (operation.access.kind !== 'public') codes.push('unauthenticated', 'forbidden');
  if (operation.path.includes('{')) codes.push('not_found');
  // A page may be too large to be transferred.
  if (hasBody(operation) || operation.list !== null) codes.push('payload_too_large');
  return [...new Set(codes.map((code) => HTTP_STATUS[code]))].sort((a, b) => a - b);
}

function parameters(operation: AnyOperation, part: 'params' | 'query', location: 'path' | 'query'): Json[] {
  const schema = schemaOf(operation[part], 'input') as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(schema.properties ?? {}).map(([name, { description, ...property }]) => ({
    name,
    in: location,
    required: location === 'path' || (schema.required ?? []).includes(name),
    ...(description !== undefined && { description }),
    schema: location === 'path' ? inPath(property) : property,
  }));
}

/** Numeric ids are strings in JSON, because not every client has 64-bit integers. In a path they are numbers. */
const inPath = (schema: Json): Json =>
  schema['format'] === 'int64' ? { type: 'integer', format: 'int64', minimum: 0 } : schema;

/** A signed request has no idempotency key, because its signed payload identifies it. */
const headers = ({ method, transfer, resumable }: AnyOperation): Json[] => [
  ...(method === 'POST' && transfer !== 'signed' ? [IDEMPOTENCY_KEY] : []),
  ...(resumable ? [LAST_EVENT_ID] : []),
];

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

const hasBody = (operation: AnyOperation): boolean => 'requestBody' in requestBody(operation);

function requestBody(operation: AnyOperation): Json {
  if (operation.transfer === 'upload') {
    const properties = { path: { type: 'string' }, file: { type: 'string', format: 'binary' } };
    const schema = { type: 'object', properties, required: ['path', 'file'] };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  if (operation.transfer === 'rows') {
    const row = { type: 'object', additionalProperties: true };
    const json = { schema: { oneOf: [row, { type: 'array', items: row }] } };
    const text = { schema: { type: 'string' } };
    const types = { 'application/json': json, 'application/x-ndjson': text, 'text/csv': text };
    return { requestBody: { required: true, content: types } };
  }
  if (operation.transfer === 'signed') {
    const schema = { type: 'object', additionalProperties: true };
    return { requestBody: { required: true, content: { 'application/json': { schema } } } };
  }
  if (operation.transfer === 'raw') {
    const binary = { schema: { type: 'string', format: 'binary' } };
    const types = { 'application/json': { schema: { type: 'object', additionalProperties: true } }, '*/*': binary };
    return { requestBody: { required: false, content: types } };
  }
  if (operation.transfer === 'content') {
    const schema = { type: 'string', format: 'binary' };
    return { requestBody: { required: true, content: { 'application/octet-stream': { schema } } } };
  }
  const schema = schemaOf(operation.body, 'input') as { properties?: Json; required?: string[]; anyOf?: unknown };
  const isEmpty = schema.properties !== undefined && Object.keys(schema.properties).length === 0;
  if (isEmpty) return {};
  const required = (schema.required ?? []).length > 0 || schema.anyOf !== undefined;
  const yaml = operation.acceptsYaml && { 'application/yaml': { schema: { type: 'string' } } };
  return { requestBody: { required, content: { 'application/json': { schema }, ...yaml } } };
}

function content(operation: AnyOperation): Json {
  if (operation.status === 204) return {};
  const binary = { schema: { type: 'string', format: 'binary' } };
  const types = {
    json: { 'application/json': { schema: schemaOf(operation.response, 'output') } },
    upload: { 'application/json': { schema: schemaOf(operation.response, 'output') } },
    rows: { 'application/json': { schema: schemaOf(operation.response, 'output') } },
    signed: { 'application/json': { schema: schemaOf(operation.response, 'output') } },
    content: { 'application/json': { schema: schemaOf(operation.response, 'output') } },
    raw: { 'application/json': { schema: schemaOf(operation.response, 'output') } },
    download: { 'application/octet-stream': binary },
    text: Object.fromEntries(operation.responseTypes.map((type) => [type, { schema: { type: 'string' } }])),
    events: { 'text/event-stream': { schema: { type: 'string' } } },
  };
  return { content: types[operation.transfer] };
}

/**
 * The JSON Schema (2020-12) of a zod schema. Schemas with an id are inlined, so each operation is readable on its own.
 */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as Json;
  return inline(rest, (rest['$defs'] ?? {}) as Record<string, Json>) as Json;
}

/** Inlines references to `$defs`. The contracts have no recursive schema. */
function inline(node: unknown, definitions: Record<string, Json>): unknown {
  if (Array.isArray(node)) return node.map((item) => inline(item, definitions));
  if (node === null || typeof node !== 'object') return node;
  const { $defs: _, $ref, id, ...rest } = node as Json & { $ref?: string };
  if (typeof $ref === 'string') return inline(definitions[$ref.replace('#/$defs/', '')] ?? {}, definitions);
  // A string `id` is the keyword of JSON Schema; an object is a property of that name.
  const properties = typeof id === 'object' ? { id, ...rest } : rest;
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, inline(value, definitions)]));
}
