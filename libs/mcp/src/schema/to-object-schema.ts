import type { JSONObject } from '@modelcontextprotocol/server';
import { z } from 'zod';

export type JsonSchema = JSONObject & { type: 'object'; properties: Record<string, JSONObject>; required?: string[] };

/**
 * The JSON Schema (2020-12) of an object, as clients of MCP accept it: `type: object` at the root. Records with an id are in
 * `$defs`.
 */
export function toObjectSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  // Within an object, so that a schema with an id is a definition as well.
  const wrapped = z.toJSONSchema(z.object({ root: schema }), {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ jsonSchema }) => {
      dropImplicitRules(jsonSchema, io);
      nameAllTypes(jsonSchema);
    },
  });
  const { $defs, properties } = toPortable(wrapped) as {
    $defs?: Record<string, JSONObject>;
    properties: { root: { $ref?: string } };
  };
  const name = properties.root.$ref?.replace('#/$defs/', '');
  const root = (name === undefined ? properties.root : $defs?.[name]) as Partial<JsonSchema>;
  if (root.type !== 'object' || root.properties === undefined) {
    throw new Error('A tool takes and returns objects with named fields');
  }
  const used = Object.entries($defs ?? {}).filter(([id]) => refersTo(id, [root, ...Object.values($defs ?? {})]));
  return { ...(root as JsonSchema), ...(used.length > 0 && { $defs: Object.fromEntries(used) }) };
}

const refersTo = (id: string, schemas: unknown[]): boolean => JSON.stringify(schemas).includes(`"#/$defs/${id}"`);

/** Zod adds the range of integers that JavaScript represents exactly, and forbids further properties in responses. */
function dropImplicitRules(schema: Record<string, unknown>, io: 'input' | 'output'): void {
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (io === 'output' && schema['additionalProperties'] === false) delete schema['additionalProperties'];
}

/** The types of JSON, for a value that may be anything. */
const ANY_JSON = ['object', 'array', 'string', 'number', 'boolean', 'null'].map((type) => ({ type }));

/** Some clients refuse a schema without a type, so one that allows anything lists all types. Its meaning is the same. */
function nameAllTypes(schema: Record<string, unknown>): void {
  if (allowsAnything(schema)) schema['anyOf'] = ANY_JSON;
  if (allowsAnything(schema['additionalProperties'])) schema['additionalProperties'] = true;
}

/** Keywords that describe a value without limiting it. */
const ANNOTATIONS = ['title', 'description', 'default', 'examples'];

const allowsAnything = (schema: unknown): boolean =>
  typeof schema === 'object' &&
  schema !== null &&
  Object.entries(schema).every(([key, value]) => ANNOTATIONS.includes(key) || value === ANY_JSON);

/**
 * Removes the keyword `id`, which validators refuse since JSON Schema has `$id`; an object is a property of that name. A list of
 * types becomes alternatives, because some clients map schemas to dialects with a single type.
 */
function toPortable(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(toPortable);
  if (node === null || typeof node !== 'object') return node;
  const { type, ...rest } = node as { type?: unknown };
  if (Array.isArray(type)) return toPortable({ ...rest, anyOf: type.map((one: unknown) => ({ type: one })) });
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]: [string, unknown]) =>
      key === 'id' && typeof value === 'string' ? [] : [[key, toPortable(value)]],
    ),
  );
}
