import type { JSONObject } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { LooseInput } from '@millrace/client';
import { MillraceError } from '@millrace/client';
import { describeUnknownKey } from '@millrace/contracts/kit/describe-issue';
import type { Operation } from '@millrace/contracts/kit/operation';
import { type JsonSchema, toObjectSchema } from '../schema/to-object-schema.js';
import { fitResult } from './fit-result.js';
import { nameArgument, type Part } from './name-argument.js';
import { type MarkedOperation, nameRequests } from './name-requests.js';
import { ToolError } from './tool-error.js';
import type { Tool } from './tool.js';

/** Records per page, unless the model requests another number. The API's default of 200 fills a model's context. */
const DEFAULT_PAGE_SIZE = 25;
const OMITTED = {
  type: 'object',
  additionalProperties: { type: 'integer' },
  description: 'For a list that would make the result too long: number of records that are left out at its end',
};

interface Field {
  part: Part;
  /** Its name in the request. */
  key: string;
  schema: JSONObject;
  isRequired: boolean;
}

/**
 * Makes a tool of an operation that the contract marks: its fields are those of path, query and body, and its result is the
 * response. The REST API checks the values, so that all clients get the same errors.
 */
export function deriveTool(operation: MarkedOperation): Tool {
  const { tool, method } = operation;
  const fields = collectFields(operation);
  const isReadOnly = tool.isReadOnly ?? method === 'GET';
  return {
    name: tool.name,
    title: operation.summary,
    description: describe(operation, fields),
    inputSchema: toInputSchema(fields),
    outputSchema: toOutputSchema(operation, isReadOnly && !fields.has('page_size')),
    annotations: {
      readOnlyHint: isReadOnly,
      destructiveHint: tool.isDestructive ?? method === 'DELETE',
      idempotentHint: tool.isIdempotent ?? (isReadOnly || method !== 'POST'),
      openWorldHint: false,
    },
    run: async ({ client, signal }, args) => {
      const input = toRequest(fields, args);
      const response = await client.call(operation, { ...input, signal }).catch((error: unknown) => {
        throw renameDetails(error, fields);
      });
      const content = toContent(operation, response);
      // After a change, its result is returned however long it is.
      return { content: isReadOnly ? fitResult(content, pageSizeOf(input)) : content };
    },
  };
}

function collectFields(operation: Operation): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (const part of ['params', 'query', 'body'] as const) {
    const { properties, required = [] } = toObjectSchema(operation[part], 'input');
    for (const [key, schema] of Object.entries(properties)) {
      const name = nameArgument(operation, part, key);
      if (name === null) continue;
      if (fields.has(name)) throw new Error(`The tool ${operation.tool?.name} has two fields named ${name}`);
      fields.set(name, { part, key, schema: adaptField(key, schema), isRequired: required.includes(key) });
    }
  }
  for (const field of fields.values()) field.schema = renameInSchema(field.schema, fields) as JSONObject;
  return fields;
}

/** Replaces fields of the request in a text, such as `space`, by their names in the tool. */
function renameInText(text: string, fields: Map<string, Field>): string {
  const names = new Map([...fields].map(([name, { key }]) => [key, name]));
  return text.replaceAll(/`(\w+)`/g, (quoted, key: string) => (names.has(key) ? `\`${names.get(key)}\`` : quoted));
}

function renameInSchema(node: unknown, fields: Map<string, Field>): unknown {
  if (Array.isArray(node)) return node.map((child) => renameInSchema(child, fields));
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]: [string, unknown]) => [
      key,
      key === 'description' && typeof value === 'string'
        ? nameRequests(renameInText(value, fields))
        : renameInSchema(value, fields),
    ]),
  );
}

function pageSizeOf({ query }: { query: object }): number | undefined {
  const size = (query as { page_size?: unknown }).page_size;
  return size === undefined ? undefined : Number(size);
}

const adaptField = (key: string, schema: JSONObject): JSONObject =>
  key === 'page_size' ? { ...schema, default: DEFAULT_PAGE_SIZE } : schema;

function toInputSchema(fields: Map<string, Field>): JsonSchema {
  const entries = [...fields];
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    required: entries.flatMap(([name, { isRequired }]) => (isRequired ? [name] : [])),
    additionalProperties: false,
  };
}

/** A response without content becomes `{success: true}`, because a result is an object. */
function toOutputSchema(operation: Operation, canOmit: boolean): JsonSchema {
  if (operation.status === 204) return toObjectSchema(z.object({ success: z.literal(true) }), 'output');
  const schema = toObjectSchema(operation.response, 'output');
  if (canOmit) return { ...schema, properties: { ...schema.properties, omitted: OMITTED } };
  if (operation.list === null) return schema;
  const { next: _next, previous: _previous, ...properties } = schema.properties;
  const nextPage = {
    anyOf: [{ type: 'integer' }, { type: 'null' }],
    description: '`page` of the next page; null on the last page',
  };
  return {
    ...schema,
    properties: { ...properties, ...(!('cursor' in properties) && { next_page: nextPage }) },
    required: (schema.required ?? []).filter((name) => name in properties),
  };
}

/** Replaces the URLs of other pages by what a model passes to get them. */
function toContent(operation: Operation, response: unknown): Record<string, unknown> {
  if (operation.status === 204) return { success: true };
  const record = response as Record<string, unknown>;
  if (operation.list === null) return record;
  const { next, previous: _, ...content } = record;
  if ('cursor' in content) return content;
  const page = typeof next === 'string' ? Number(new URL(next, 'http://localhost').searchParams.get('page')) : null;
  return { ...content, next_page: page };
}

function toRequest(fields: Map<string, Field>, args: Record<string, unknown>): LooseInput & { query: object } {
  const details: Record<string, string> = {};
  const request: Record<Part, Record<string, unknown>> = { params: {}, query: {}, body: {} };
  for (const [name, value] of Object.entries(args)) {
    const field = fields.get(name);
    if (!field) details[name] = describeUnknown(name, fields);
    else if (field.part === 'params' && !isPathPart(value)) details[name] = 'must be an id';
    else request[field.part][field.key] = value;
  }
  for (const [name, { isRequired }] of fields)
    if (isRequired && args[name] === undefined) details[name] = 'is required';
  if (Object.keys(details).length > 0) {
    throw new ToolError('validation_error', 'The arguments are not valid.', details);
  }
  if (fields.has('page_size')) request.query['page_size'] ??= DEFAULT_PAGE_SIZE;
  return request;
}

/** Suggests the argument with a similar name, or with that name in the REST API. */
function describeUnknown(name: string, fields: Map<string, Field>): string {
  const [renamed] = [...fields].find(([, { key }]) => key === name) ?? [];
  return describeUnknownKey(renamed ?? name, [...fields.keys()]);
}

const isPathPart = (value: unknown): boolean =>
  (typeof value === 'string' && !['', '.', '..'].includes(value)) || typeof value === 'number';

/** Names fields as the tool does, and not as the request does: `run_id` instead of `params.id`. */
function renameDetails(error: unknown, fields: Map<string, Field>): unknown {
  if (!(error instanceof MillraceError) || error.details === undefined) return error;
  const names = new Map([...fields].map(([name, { part, key }]) => [`${part}.${key}`, name]));
  const rename = (path: string): string => {
    const known = [...names.keys()].find((field) => path === field || path.startsWith(`${field}.`));
    return known === undefined
      ? path.replace(/^(params|query|body)\./, '')
      : names.get(known) + path.slice(known.length);
  };
  const renameText = (value: unknown) => (typeof value === 'string' ? renameInText(value, fields) : value);
  const details = Object.fromEntries(
    Object.entries(error.details).map(([path, detail]) => [rename(path), renameText(detail)]),
  );
  const message = renameInText(error.message, fields);
  return new MillraceError(error.status, error.code, message, details, error.requestId, error.url);
}

function describe({ summary, description, tool }: MarkedOperation, fields: Map<string, Field>): string {
  const parts = [`${summary}.`, description].filter((part) => part !== undefined);
  // The guidance is written for the tool, and has its names.
  return [nameRequests(renameInText(parts.join(' '), fields)), tool.guidance].filter(Boolean).join(' ');
}
