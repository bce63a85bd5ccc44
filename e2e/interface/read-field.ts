/** What the document says of one field. */
export interface Field {
  /** JSON types and `integer`; `any` is none of them. */
  types: readonly string[];
  isRequired: boolean;
  /** Type of the elements of an array. */
  element?: string;
  /** The values of an enum; none where the document does not show them. */
  values?: readonly string[];
  /** Characters. */
  min?: number;
  max?: number;
  /** In JSON, or a plain word. */
  default?: string;
}

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null', 'any']);

/** Reads the words of a field, such as `string or null, max 2000`. @throws on words that the table does not have */
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
  if (element !== undefined) return { types: ['array'], element: known(element) };
  return { types: words.split(' or ').map(known) };
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

function known(type: string): string {
  if (!TYPES.has(type)) throw new Error(`The table has no such type: ${type}`);
  return type;
}
