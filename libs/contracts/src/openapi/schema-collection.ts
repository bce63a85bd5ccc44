import { z } from 'zod';

export type Json = Record<string, unknown>;

/**
 * The JSON Schemas (2020-12) of a description. A zod schema with an id (`.meta({ id: 'Run' })`) becomes a component of that
 * name, and everything else refers to it.
 */
export class SchemaCollection {
  readonly #components = new Map<string, Json>();

  /** The components so far, by name. */
  get components(): Record<string, Json> {
    return Object.fromEntries([...this.#components].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * Describes a schema, and adds the components that it refers to. If a record differs as input from what was added before, such as
   * in what is required, the component for input has the suffix `Input`. Describe all responses first.
   */
  describe(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $defs = {}, ...root } = toJsonSchema(schema, io);
    const definitions = $defs as Record<string, Json>;
    const names = this.#nameComponents(definitions, io);
    for (const [id, definition] of Object.entries(definitions)) {
      this.#components.set(names.get(id) ?? id, rewrite(definition, names));
    }
    return rewrite(root, names);
  }

  #nameComponents(definitions: Record<string, Json>, io: 'input' | 'output'): Map<string, string> {
    const same = new Map(Object.keys(definitions).map((id) => [id, id]));
    const differs = Object.entries(definitions).some(([id, definition]) => {
      const existing = this.#components.get(id);
      return existing !== undefined && JSON.stringify(existing) !== JSON.stringify(rewrite(definition, same));
    });
    if (!differs) return same;
    if (io === 'output') throw new Error(`Two schemas have the same id: one of ${[...same.keys()].join(', ')}`);
    return new Map([...same.keys()].map((id) => [id, `${id}Input`]));
  }
}

/** The JSON Schema of a zod schema. Its records with an id are in `$defs`, the schema itself included. */
function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  // Within an object, so that a schema with an id is a definition as well.
  const wrapper = z.object({ root: schema });
  const { properties, $defs } = z.toJSONSchema(wrapper, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ jsonSchema }) => dropImplicitRules(jsonSchema, io),
  });
  return { ...(properties?.['root'] as Json), ...($defs && { $defs }) };
}

/**
 * Zod adds the range of integers that JavaScript represents exactly, which says nothing about the field. It also forbids
 * further properties in responses, but later versions may add some.
 */
function dropImplicitRules(schema: Json, io: 'input' | 'output'): void {
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (io === 'output' && schema['additionalProperties'] === false) delete schema['additionalProperties'];
}

/** Directs references to the components. A string `id` is the keyword of JSON Schema; an object is a property of that name. */
function rewrite<T>(node: T, names: Map<string, string>): T;
function rewrite(node: unknown, names: Map<string, string>): unknown {
  if (Array.isArray(node)) return node.map((item: unknown) => rewrite(item, names));
  if (node === null || typeof node !== 'object') return node;
  const { $ref, id, ...rest } = node as Json & { $ref?: string };
  const properties = typeof id === 'object' ? { id, ...rest } : rest;
  const rewritten = Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, rewrite(value, names)]));
  if (typeof $ref !== 'string') return rewritten;
  const definition = $ref.replace('#/$defs/', '');
  return { ...rewritten, $ref: `#/components/schemas/${names.get(definition) ?? definition}` };
}
