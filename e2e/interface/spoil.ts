import { randomUUID } from 'node:crypto';
import { fits } from './check-value.js';
import { readField, type Field } from './read-field.js';
import type { Fields, Row } from './row.js';
import type { DocumentedRequest } from './world.js';

/** A request that the document forbids, and the reason. */
export interface Spoiled {
  what: string;
  request: DocumentedRequest;
  status: 400 | 404;
  /** The key that `details` contains, if a field is wrong. */
  field?: string;
}

/** Invalid variants of a valid request. Each is wrong in one place. */
export const spoil = (row: Row, request: DocumentedRequest): Spoiled[] => [
  ...spoilPath(row.path ?? {}, request),
  ...spoilQuery(row.query ?? {}, request),
  ...spoilBody(row.body ?? {}, request),
];

/** Replaces an id with an invalid one. A wrong number is malformed (400), a wrong text id does not exist (404). */
function spoilPath(fields: Fields, request: DocumentedRequest): Spoiled[] {
  return Object.entries(fields).flatMap(([name, words]) => {
    const isNumber = readField(words).types.includes('number');
    const ids = isNumber ? ['x', '1.5', '-1'] : ['x', randomUUID()];
    return ids.map((id) => ({
      what: `path.${name} = ${id}`,
      request: { ...request, path: { ...request.path, [name]: id } },
      status: isNumber ? 400 : 404,
    }));
  });
}

function spoilQuery(fields: Fields, request: DocumentedRequest): Spoiled[] {
  const spoiled = (name: string, value: string | undefined): Spoiled => {
    const { [name]: _, ...others } = request.query ?? {};
    const query = value === undefined ? others : { ...others, [name]: value };
    return { what: `query.${name} = ${value}`, request: { ...request, query }, status: 400, field: `query.${name}` };
  };
  return Object.entries(fields).flatMap(([name, words]) => {
    const { isRequired, types, values } = readField(words);
    return [
      ...(isRequired ? [spoiled(name, undefined)] : []),
      ...(types.includes('integer') ? [spoiled(name, 'x'), spoiled(name, '1.5')] : []),
      ...(values ? [spoiled(name, 'none-of-these')] : []),
    ];
  });
}

function spoilBody(fields: Fields, request: DocumentedRequest): Spoiled[] {
  const named = Object.entries(fields).filter(([name]) => !name.endsWith('*'));
  return named.flatMap(([name, words]) =>
    wrongValues(readField(words)).flatMap((value) => {
      const body = withValue(request.body ?? {}, name, value);
      const what = `body.${name} = ${JSON.stringify(value)?.slice(0, 60)}`;
      const [top] = name.split('.');
      return body ? [{ what, request: { ...request, body }, status: 400 as const, field: `body.${top}` }] : [];
    }),
  );
}

/** One value of each JSON type. */
const VALUES = ['text', 7, 1.5, true, {}, ['x'], null];

function wrongValues(field: Field): unknown[] {
  const { types, isRequired, min = 0, max } = field;
  if (types.includes('any')) return [];
  const leftOut = isRequired ? [undefined] : [];
  const tooLong = max === undefined ? [] : ['x'.repeat(max + 1)];
  const tooShort = min === 0 ? [] : [''];
  return [...leftOut, ...[...VALUES, ...tooLong, ...tooShort].filter((value) => !fits(value, field))];
}

/** A copy with another value at a place such as `data.connections[].source`; null where nothing is there to hold it. */
function withValue(body: object, name: string, value: unknown): Record<string, unknown> | null {
  const copy = structuredClone(body) as Record<string, unknown>;
  const steps = name.replaceAll('[]', '.0').split('.');
  const last = steps.pop() ?? '';
  let holder: unknown = copy;
  for (const step of steps) holder = (holder as Record<string, unknown> | undefined)?.[step];
  if (typeof holder !== 'object' || holder === null) return null;
  Object.assign(holder, { [last]: value });
  return copy;
}
