import { findPlace, type Place, type Schema } from './find-schema.js';
import { readField, type Field } from './read-field.js';

/** Whether the field is sent by the client or by the service. */
export type Side = 'request' | 'response';

/**
 * Differences between a field of the description and the document. The list is empty if they agree.
 *
 * The service must accept every request field as documented, with the same limits if the document has any. A response
 * field may be narrower: it may never be null although the document allows null, and always exist although it is optional.
 */
export function compareField(root: Schema, name: string, words: string, side: Side): string[] {
  if (name === '*' || name.endsWith('.*')) return compareAdditionalProperties(root, name, side);
  const place = findPlace(root, name);
  if (place.schemas.length === 0) return ['is missing'];
  const field = readField(words);
  return [
    ...compareRequired(field, place, side),
    ...compareTypes(field, place, side),
    ...compareElements(field, place),
    ...compareValues(field, place),
    ...(side === 'request' ? [...compareLengths(field, place), ...compareDefault(field, place)] : []),
  ];
}

/** A response without further properties agrees with a document that allows them. */
function compareAdditionalProperties(root: Schema, name: string, side: Side): string[] {
  return side === 'response' || findPlace(root, name).isOpen ? [] : ['accepts no further properties'];
}

function compareRequired({ isRequired }: Field, place: Place, side: Side): string[] {
  if (isRequired && !place.isRequired) return ['is not required'];
  return side === 'request' && place.isRequired && !isRequired ? ['is required'] : [];
}

function compareTypes({ types }: Field, { schemas }: Place, side: Side): string[] {
  if (types.includes('any')) return [];
  const described = schemas.flatMap(typesOf);
  const isAccepted = (type: string) => described.some((each) => isCoveredBy(type, each) || isId(type, each));
  const isDocumented = (type: string) => types.some((each) => isCoveredBy(type, each));
  const agrees = side === 'request' ? types.every(isAccepted) : described.every(isDocumented);
  return agrees ? [] : [`is ${described.join(' or ')}, not ${types.join(' or ')}`];
}

const isCoveredBy = (type: string, other: string): boolean =>
  other === type || other === 'any' || (type === 'integer' && other === 'number');

/** Numbers in documented requests are ids, which have no fractions. */
const isId = (documented: string, described: string): boolean => documented === 'number' && described === 'integer';

function typesOf({ type, enum: values, const: value }: Schema): string[] {
  if (Array.isArray(type)) return type;
  if (type !== undefined) return [type];
  if (value !== undefined) return [typeof value];
  return values ? values.map((each) => (each === null ? 'null' : typeof each)) : ['any'];
}

function compareElements({ element }: Field, { schemas }: Place): string[] {
  if (element === undefined) return [];
  const described = schemas.flatMap(({ items }) => (items ? typesOf(items) : ['any']));
  return described.every((type) => type === element)
    ? []
    : [`is an array of ${described.join(' or ')}, not of ${element}`];
}

function compareValues({ values = [] }: Field, { schemas }: Place): string[] {
  if (values.length === 0) return [];
  const described = schemas.flatMap((schema) =>
    schema.const === undefined ? (schema.enum ?? ['anything']) : [schema.const],
  );
  const [a, b] = [[...values].sort().join(' '), [...new Set(described)].sort().join(' ')];
  return a === b ? [] : [`is one of ${b}, not of ${a}`];
}

function compareLengths({ types, min, max }: Field, { schemas }: Place): string[] {
  if (!types.includes('string')) return [];
  const texts = schemas.filter((schema) => typesOf(schema).includes('string'));
  const differs = (limit: number | undefined, described: number | undefined) =>
    limit !== undefined && limit !== described;
  return texts.flatMap(({ minLength, maxLength }) => [
    ...(differs(min, minLength) ? [`has at least ${minLength ?? 0} characters, not ${min}`] : []),
    ...(differs(max, maxLength) ? [`has at most ${maxLength ?? 'any number of'} characters, not ${max}`] : []),
  ]);
}

function compareDefault(field: Field, { schemas }: Place): string[] {
  const described = String(schemas.map((schema) => schema.default).find((value) => value !== undefined));
  if (field.default === undefined || field.default === described) return [];
  return [`has the default ${described}, not ${field.default}`];
}
