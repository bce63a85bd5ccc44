import { compile } from 'json-schema-to-typescript';

const REFERENCE = '#/components/schemas/';

/** @typedef {import('./read-operations.mjs').Method} Method */

/**
 * The name of a method's type, or the component that it refers to; null if the method has no such part.
 * @param {Method} method
 * @param {'Query' | 'Body' | 'Response'} part
 * @returns {string | null}
 */
export function typeNameOf(method, part) {
  const schema = /** @type {any} */ (method)[part.toLowerCase()];
  if (schema === null) return null;
  return schema.$ref?.startsWith(REFERENCE) ? schema.$ref.slice(REFERENCE.length) : `${method.typeName}${part}`;
}

/**
 * The TypeScript types of all records of the API, and of queries, bodies and responses that are no records.
 * @param {Method[]} methods
 * @param {Record<string, object>} schemas the records
 */
export async function renderTypes(methods, schemas) {
  /** @type {Record<string, object>} */
  const definitions = { ...schemas };
  for (const method of methods) {
    for (const part of /** @type {const} */ (['Query', 'Body', 'Response'])) {
      const name = typeNameOf(method, part);
      if (name === null || name in schemas) continue;
      const schema = /** @type {any} */ (method)[part.toLowerCase()];
      definitions[name] = { ...schema, description: `${part} of \`${method.resource}.${method.name}\`.` };
    }
  }
  const root = { title: 'Root', type: 'object', additionalProperties: false, definitions: toDefinitions(definitions) };
  const text = await compile(/** @type {any} */ (root), 'Root', {
    ...{ additionalProperties: false, unreachableDefinitions: true, ignoreMinAndMaxItems: true },
    style: { printWidth: 120, singleQuote: true },
    bannerComment:
      '/** The records of the API and the inputs of its operations, as the contract declares them. Generated. */',
  });
  return text
    .replace(/export interface Root \{\s*\}\n/, '')
    .replaceAll(/^ \* This interface was referenced by `Root`'s JSON-Schema\n \* via the `definition` "\w+"\.\n/gm, '')
    .replaceAll(/\/\*\*\n \*\/\n/g, '')
    .replaceAll(/\n \*\n \*\//g, '\n */');
}

/**
 * Drops what types cannot express, so that a string with a pattern is a string.
 * @param {any} node
 * @returns {any}
 */
function toDefinitions(node) {
  if (Array.isArray(node)) return node.map(toDefinitions);
  if (node === null || typeof node !== 'object') return node;
  const entries = Object.entries(node).filter(
    ([key, value]) => !(['pattern', 'format', 'propertyNames'].includes(key) && isKeyword(key, value)),
  );
  return Object.fromEntries(
    entries.map(([key, value]) =>
      key === '$ref' ? [key, value.replace(REFERENCE, '#/definitions/')] : [key, toDefinitions(value)],
    ),
  );
}

/**
 * A record may have a property of that name, whose value is a schema. The keyword `propertyNames` has a schema as well.
 * @param {string} key
 * @param {unknown} value
 */
const isKeyword = (key, value) =>
  key === 'propertyNames' ? !(/** @type {any} */ (value).description) : typeof value === 'string';
