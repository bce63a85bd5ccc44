const MASK = '***';
/** Shorter values occur in too many texts. */
const MIN_PLAIN_BYTES = 4;
/** For strings inside JSON values and for encoded values, because short ones are ordinary words. */
const MIN_ENCODED_BYTES = 8;
/** Takes some 0.2 s. */
const MAX_COMPARED_CHARACTERS = 200_000_000;

/**
 * Replaces secret values in texts by `***`: the value itself, trimmed, each of its lines, each string of a JSON value;
 * and the whole value percent-encoded, JSON-escaped, and in base64.
 * @returns null for a text without secrets. If there is too much to compare, the whole text is masked.
 */
export function maskTexts(texts: readonly string[], values: readonly string[]): (string | null)[] {
  const spellings = [...new Set(values.flatMap(listSpellings))].sort((a, b) => b.length - a.length);
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (spellings.length * length > MAX_COMPARED_CHARACTERS) return texts.map(() => MASK);
  return texts.map((text) => {
    const masked = spellings.reduce((rest, spelling) => rest.replaceAll(spelling, MASK), text);
    return masked === text ? null : masked;
  });
}

function listSpellings(value: string): string[] {
  const wholes = [...new Set([value, value.trim()])];
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  const plain = [...wholes, ...lines].filter((text) => isLong(text, MIN_PLAIN_BYTES));
  const inner = [...listJsonStrings(value), ...wholes.flatMap(encode)].filter((text) =>
    isLong(text, MIN_ENCODED_BYTES),
  );
  return [...plain, ...inner];
}

const isLong = (text: string, bytes: number): boolean => Buffer.byteLength(text) >= bytes;

function encode(text: string): string[] {
  if (!isLong(text, MIN_PLAIN_BYTES)) return [];
  const wellFormed = text.toWellFormed();
  return [encodeURIComponent(wellFormed), JSON.stringify(text).slice(1, -1), ...listBase64Spellings(wellFormed)];
}

/**
 * One spelling for each of the three alignments that a value can have in a longer text, without the characters that
 * depend on its neighbours.
 */
function listBase64Spellings(text: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const end = Math.floor((bytes.length * 8) / 6);
    const start = before === 0 ? 0 : before + 1;
    return (['base64', 'base64url'] as const).map((form) => bytes.toString(form).slice(start, end));
  });
}

function listJsonStrings(value: string): string[] {
  if (!/^\s*[[{"]/.test(value)) return [];
  try {
    const strings: string[] = [];
    JSON.parse(value, (_key, inner: unknown) => {
      if (typeof inner === 'string') strings.push(inner);
      return inner;
    });
    return strings;
  } catch {
    return [];
  }
}
