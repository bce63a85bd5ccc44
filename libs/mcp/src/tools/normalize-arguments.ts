import type { JSONObject } from '@modelcontextprotocol/server';
import type { JsonSchema } from '../schema/to-object-schema.js';

type Arguments = Record<string, unknown>;

/**
 * Accepts what models often send for the same: null for an argument that they leave out, and a number for an id, because the
 * ids of runs are numbers.
 */
export function normalizeArguments(args: Arguments, { properties }: JsonSchema): Arguments {
  return Object.fromEntries(
    Object.entries(args).flatMap(([name, value]) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (schema === undefined) return [[name, value]];
      if (value === null) return acceptsNull(schema) ? [[name, null]] : [];
      return [[name, typeof value === 'number' && name.endsWith('_id') ? String(value) : value]];
    }),
  );
}

const acceptsNull = ({ type, anyOf }: JSONObject): boolean =>
  type === 'null' || (Array.isArray(anyOf) && anyOf.some((option) => acceptsNull(option as JSONObject)));
