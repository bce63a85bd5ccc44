import { findPlace, type Place, type Schema } from './find-schema.js';
import { readField, type Field } from './read-field.js';

/** Whether the client or the service says it. */
export type Side = 'asked' | 'answered';

/**
 * How a field of the description differs from what the document says of it; nothing where it does not.
 *
 * What is asked must be taken as it is documented, under the same limits where it gives some. What is answered may be
 * narrower: never null where it may be, always there where it need not be.
 */
export function compareField(root: Schema, name: string, words: string, side: Side): string[] {
  if (name === '*' || name.endsWith('.*')) return compareOpen(root, name, side);
  const place = findPlace(root, name);
  if (place.schemas.length === 0) return ['is missing'];
  const field = readField(words);
  return [
    ...compareRequired(field, place, side),
    ...compareTypes(field, place, side),
    ...compareElements(field, place),
    ...compareValues(field, place),
    ...(side === 'asked' ? [...compareLengths(field, place), ...compareDefault(field, place)] : []),
  ];
}

/** An answer that has no further properties keeps the promise that it may have some. */
function compareOpen(root: Schema, name: string, side: Side): string[] {
  return side === 'answered' || findPlace(root, name).isOpen ? [] : ['takes no further properties'];
}

function compareRequired({ isRequired }: Field, place: Place, side: Side): string[] {
  if (isRequired && !place.isRequired) return ['is not required'];
  return side === 'asked' && place.isRequired && !isRequired ? ['is required'] : [];
}

function compareTypes({ types }: Field, { schemas }: Place, side: Side): string[] {
  if (types.includes('any')) return [];
  const ours = schemas.flatMap(typesOf);
  const isTaken = (type: string) => ours.some((each) => isOf(type, each) || isId(type, each));
  const isPromised = (type: string) => types.some((each) => isOf(type, each));
  const agrees = side === 'asked' ? types.every(isTaken) : ours.every(isPromised);
  return agrees ? [] : [`is ${ours.join(' or ')}, not ${types.join(' or ')}`];
}

const isOf = (type: string, other: string): boolean =>
  other === type || other === 'any' || (type === 'integer' && other === 'number');

/** The numbers that the document has a client ask with are ids, which have no fractions. */
const isId = (type: string, ours: string): boolean => type === 'number' && ours === 'integer';

function typesOf({ type, enum: values, const: value }: Schema): string[] {
  if (Array.isArray(type)) return type;
  if (type !== undefined) return [type];
  if (value !== undefined) return [typeof value];
  return values ? values.map((each) => (each === null ? 'null' : typeof each)) : ['any'];
}

function compareElements({ element }: Field, { schemas }: Place): string[] {
  if (element === undefined) return [];
  const ours = schemas.flatMap(({ items }) => (items ? typesOf(items) : ['any']));
  return ours.every((type) => type === element) ? [] : [`is an array of ${ours.join(' or ')}, not of ${element}`];
}

function compareValues({ values = [] }: Field, { schemas }: Place): string[] {
  if (values.length === 0) return [];
  const ours = schemas.flatMap((schema) =>
    schema.const === undefined ? (schema.enum ?? ['anything']) : [schema.const],
  );
  const [a, b] = [[...values].sort().join(' '), [...new Set(ours)].sort().join(' ')];
  return a === b ? [] : [`is one of ${b}, not of ${a}`];
}

function compareLengths({ types, min, max }: Field, { schemas }: Place): string[] {
  if (!types.includes('string')) return [];
  const texts = schemas.filter((schema) => typesOf(schema).includes('string'));
  const differs = (limit: number | undefined, ours: number | undefined) => limit !== undefined && limit !== ours;
  return texts.flatMap(({ minLength, maxLength }) => [
    ...(differs(min, minLength) ? [`has at least ${minLength ?? 0} characters, not ${min}`] : []),
    ...(differs(max, maxLength) ? [`has at most ${maxLength ?? 'any number of'} characters, not ${max}`] : []),
  ]);
}

function compareDefault(field: Field, { schemas }: Place): string[] {
  const ours = String(schemas.map((schema) => schema.default).find((value) => value !== undefined));
  if (field.default === undefined || field.default === ours) return [];
  return [`has the default ${ours}, not ${field.default}`];
}
