import { randomUUID } from 'node:crypto';
import { matchesField } from './check-value.js';
import { readField, type Field } from './read-field.js';
import type { Fields, Row } from './row.js';
import type { DocumentedRequest } from './world.js';

/** A request that the document forbids, and the reason. */
export interface InvalidVariant {
  /** The part of the request that is invalid, with its value. */
  change: string;
  request: DocumentedRequest;
  status: 400 | 404;
  /** The key that `details` contains, if a field is wrong. */
  field?: string;
}

/** Invalid variants of a valid request. Each is wrong in one place. */
export const invalidVariants = (row: Row, request: DocumentedRequest): InvalidVariant[] => [
  ...invalidPaths(row.path ?? {}, request),
  ...invalidQueries(row.query ?? {}, request),
  ...invalidBodies(row.body ?? {}, request),
];

/** Replaces an id with an invalid one. A wrong number is malformed (400), a wrong text id does not exist (404). */
function invalidPaths(fields: Fields, request: DocumentedRequest): InvalidVariant[] {
  return Object.entries(fields).flatMap(([name, words]) => {
    const isNumber = readField(words).types.includes('number');
    const ids = isNumber ? ['x', '1.5', '-1'] : ['x', randomUUID()];
    return ids.map((id) => ({
      change: `path.${name} = ${id}`,
      request: { ...request, path: { ...request.path, [name]: id } },
      status: isNumber ? 400 : 404,
    }));
  });
}

function invalidQueries(fields: Fields, request: DocumentedRequest): InvalidVariant[] {
  const variant = (name: string, value: string | undefined): InvalidVariant => {
    const { [name]: _, ...others } = request.query ?? {};
    const query = value === undefined ? others : { ...others, [name]: value };
    return { change: `query.${name} = ${value}`, request: { ...request, query }, status: 400, field: `query.${name}` };
  };
  return Object.entries(fields).flatMap(([name, words]) => {
    const { isRequired, types, values } = readField(words);
    return [
      ...(isRequired ? [variant(name, undefined)] : []),
      ...(types.includes('integer') ? [variant(name, 'x'), variant(name, '1.5')] : []),
      ...(values ? [variant(name, 'none-of-these')] : []),
    ];
  });
}

function invalidBodies(fields: Fields, request: DocumentedRequest): InvalidVariant[] {
  const named = Object.entries(fields).filter(([name]) => !name.endsWith('*'));
  return named.flatMap(([name, words]) =>
    wrongValues(readField(words)).flatMap((value) => {
      const body = withValue(request.body ?? {}, name, value);
      const change = `body.${name} = ${JSON.stringify(value)?.slice(0, 60)}`;
      const [top] = name.split('.');
      return body ? [{ change, request: { ...request, body }, status: 400 as const, field: `body.${top}` }] : [];
    }),
  );
}

/** One value of each JSON type. */
const VALUES = ['text', 7, 1.5, true, {}, ['x'], null];

function wrongValues(field: Field): unknown[] {
  const { types, isRequired, min = 0, max } = field;
  if (types.includes('any')) return [];
  const missing = isRequired ? [undefined] : [];
  const tooLong = max === undefined ? [] : ['x'.repeat(max + 1)];
  const tooShort = min === 0 ? [] : [''];
  return [...missing, ...[...VALUES, ...tooLong, ...tooShort].filter((value) => !matchesField(value, field))];
}

/** A copy with another value at a place such as `data.connections[].source`; null if the body has no object at that place. */
function withValue(body: object, name: string, value: unknown): Record<string, unknown> | null {
  const copy = structuredClone(body) as Record<string, unknown>;
  const steps = name.replaceAll('[]', '.0').split('.');
  const last = steps.pop() ?? '';
  let parent: unknown = copy;
  for (const step of steps) parent = (parent as Record<string, unknown> | undefined)?.[step];
  if (typeof parent !== 'object' || parent === null) return null;
  Object.assign(parent, { [last]: value });
  return copy;
}
