/**
 * JSON Schema, as far as it is compared.
 * @typedef {{ $ref?: string, type?: string | string[], properties?: Record<string, Schema>, required?: string[], items?: Schema, anyOf?: Schema[], oneOf?: Schema[], enum?: unknown[], const?: unknown, maxLength?: number, maximum?: number, maxItems?: number, minLength?: number, minimum?: number, minItems?: number, additionalProperties?: boolean | Schema }} Schema
 */

const UPPER_BOUNDS = /** @type {const} */ (['maxLength', 'maximum', 'maxItems']);
const LOWER_BOUNDS = /** @type {const} */ (['minLength', 'minimum', 'minItems']);

/**
 * Compares schemas from the view of a client: what it sends must still be accepted, and what it reads must still be there.
 * @param {Record<string, Schema>} before components of the earlier description
 * @param {Record<string, Schema>} after components of the later one
 * @returns {(side: 'request' | 'response', place: string, earlier: Schema, later: Schema) => string[]} a function that
 *   returns a sentence for each breaking change
 */
export function compareSchemas(before, after) {
  return function compare(side, place, earlierOrReference, laterOrReference) {
    const [earlier, later] = [resolve(earlierOrReference, before), resolve(laterOrReference, after)];
    const alternatives = compareAlternatives(side, place, earlier, later, compare);
    if (alternatives) return alternatives;
    return [
      ...compareTypes(side, place, earlier, later),
      ...compareEnums(side, place, earlier, later),
      ...(side === 'request' ? compareBounds(place, earlier, later) : []),
      ...compareProperties(side, place, earlier, later, compare),
      ...(earlier.items && later.items ? compare(side, `${place}[]`, earlier.items, later.items) : []),
    ];
  };
}

/**
 * @param {Schema} schema
 * @param {Record<string, Schema>} components
 * @returns {Schema}
 */
function resolve(schema, components) {
  return schema.$ref ? (components[schema.$ref.replace('#/components/schemas/', '')] ?? {}) : schema;
}

/**
 * Each alternative that a client may send, or that it can read, must still be one. Alternatives have no names, so they are
 * compared by their order.
 * @param {'request' | 'response'} side
 * @param {string} place
 * @param {Schema} earlier
 * @param {Schema} later
 * @param {ReturnType<typeof compareSchemas>} compare
 * @returns {string[] | null} null if neither schema has alternatives
 */
function compareAlternatives(side, place, earlier, later, compare) {
  const [from, to] = [earlier, later].map((schema) => schema.anyOf ?? schema.oneOf);
  if (!from && !to) return null;
  const [sources, targets] = [from ?? [earlier], to ?? [later]];
  const removed = side === 'request' ? sources.length - targets.length : targets.length - sources.length;
  if (removed > 0) {
    return [`${place} has ${side === 'request' ? 'fewer' : 'more'} alternatives.`];
  }
  const count = Math.min(sources.length, targets.length);
  return sources.slice(0, count).flatMap((one, index) => compare(side, place, one, targets[index] ?? {}));
}

/** @param {Schema} schema */
const typesOf = ({ type }) => (type === undefined ? null : [type].flat());

/**
 * @param {'request' | 'response'} side
 * @param {string} place
 * @param {Schema} earlier
 * @param {Schema} later
 */
function compareTypes(side, place, earlier, later) {
  const [from, to] = [typesOf(earlier), typesOf(later)];
  const [sent, accepted] = side === 'request' ? [from, to] : [to, from];
  if (!accepted) return [];
  const isCovered = (/** @type {string} */ type) =>
    accepted.includes(type) || (type === 'integer' && accepted.includes('number'));
  if (sent?.every(isCovered)) return [];
  return [`${place} has the type ${to?.join(' or ') ?? 'any'} instead of ${from?.join(' or ') ?? 'any'}.`];
}

/**
 * @param {'request' | 'response'} side
 * @param {string} place
 * @param {Schema} earlier
 * @param {Schema} later
 */
function compareEnums(side, place, earlier, later) {
  if (side === 'response') return [];
  const accepted = later.enum;
  if (!accepted) return [];
  if (!earlier.enum) return [`${place} must be one of ${accepted.join(', ')}.`];
  const removed = earlier.enum.filter((value) => !accepted.includes(value));
  return removed.length === 0 ? [] : [`${place} no longer accepts ${removed.join(', ')}.`];
}

/**
 * @param {string} place
 * @param {Schema} earlier
 * @param {Schema} later
 */
function compareBounds(place, earlier, later) {
  const upper = UPPER_BOUNDS.filter((bound) => (later[bound] ?? Infinity) < (earlier[bound] ?? Infinity));
  const lower = LOWER_BOUNDS.filter((bound) => (later[bound] ?? -Infinity) > (earlier[bound] ?? -Infinity));
  return [...upper, ...lower].map(
    (bound) => `${bound} of ${place} is ${later[bound]} instead of ${earlier[bound] ?? 'unlimited'}.`,
  );
}

/**
 * @param {'request' | 'response'} side
 * @param {string} place
 * @param {Schema} earlier
 * @param {Schema} later
 * @param {ReturnType<typeof compareSchemas>} compare
 */
function compareProperties(side, place, earlier, later, compare) {
  if (!later.properties) return [];
  const isClosed = later.additionalProperties === false || side === 'response';
  const kept = Object.entries(earlier.properties ?? {}).flatMap(([name, schema]) => {
    const other = later.properties?.[name];
    if (other) return compare(side, `${place}.${name}`, schema, other);
    return isClosed ? [`${place}.${name} was removed.`] : [];
  });
  const [strict, lax] = side === 'request' ? [later, earlier] : [earlier, later];
  const required = (strict.required ?? [])
    .filter((name) => !lax.required?.includes(name) && (side === 'request' || name in (later.properties ?? {})))
    .map((name) => `${place}.${name} is ${side === 'request' ? 'now required' : 'no longer always present'}.`);
  return [...kept, ...required];
}
