/** One field as the document describes it. */
export interface Field {
  /** JSON types, `integer`, or `any`. */
  types: readonly string[];
  isRequired: boolean;
  /** Type of the elements of an array. */
  element?: string;
  /** The values of an enum; empty if the document does not list them. */
  values?: readonly string[];
  /** Minimum length in characters. */
  min?: number;
  /** Maximum length in characters. */
  max?: number;
  /** JSON, or a plain word. */
  default?: string;
}

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null', 'any']);

/** Parses the words of a field, such as `string or null, max 2000`. @throws Error if the table does not use such words */
export function readField(words: string): Field {
  const [type = '', ...notes] = words.split(', ');
  const field: Field = { ...readType(type), isRequired: notes.includes('req') };
  for (const note of notes.filter((each) => each !== 'req')) Object.assign(field, readNote(note));
  return field;
}

function readType(words: string): Pick<Field, 'types' | 'element' | 'values'> {
  const [, values] = /^enum\b ?(.*)$/.exec(words) ?? [];
  if (values !== undefined) return { types: ['string'], values: values.split(' ').filter(Boolean) };
  const [, element] = /^array of (\w+)$/.exec(words) ?? [];
  if (element !== undefined) return { types: ['array'], element: requireKnownType(element) };
  return { types: words.split(' or ').map(requireKnownType) };
}

function readNote(note: string): Partial<Field> {
  const [, value] = /^default (.+)$/.exec(note) ?? [];
  if (value !== undefined) return { default: value };
  const [, min, max] = /^(\d+)\.\.(\d+)$/.exec(note) ?? [];
  if (min !== undefined) return { min: Number(min), max: Number(max) };
  const [, bound, length] = /^(min|max) (\d+)$/.exec(note) ?? [];
  if (bound !== undefined) return { [bound]: Number(length) };
  throw new Error(`The table has no such note: ${note}`);
}

function requireKnownType(type: string): string {
  if (!TYPES.has(type)) throw new Error(`The table has no such type: ${type}`);
  return type;
}
