import { spellText } from './spell-text.js';

/** Shorter values would be found everywhere. */
export const MIN_SECRET_BYTES = 4;
/** Limit for strings within a JSON value, because many of them are short words. */
const MIN_JSON_STRING_BYTES = 8;

/** Spellings of a text, as bytes to search. */
export interface Spellings {
  /** Searched unmodified. */
  plain: Buffer[];
  /** Searched while ignoring line breaks and blanks: encoders break lines, and `od` and `xxd` insert blanks. */
  unbroken: Buffer[];
}

/** A value as a whole: unmodified, and with white space trimmed or collapsed. */
export function listWholeSecrets(value: string): string[] {
  const trimmed = value.trim();
  return longEnough([value, trimmed, trimmed.replace(/\s+/g, ' ')], MIN_SECRET_BYTES);
}

/** Parts of a value that may be printed separately: its lines, and the strings in it if it is JSON. */
export function listSecretParts(value: string): string[] {
  const lines = value.split(/\r?\n|\r/);
  return [
    ...longEnough(
      lines.flatMap((line) => [line, line.trim()]),
      MIN_SECRET_BYTES,
    ),
    ...longEnough(leavesOf(value), MIN_JSON_STRING_BYTES),
  ];
}

const longEnough = (texts: string[], minBytes: number): string[] =>
  [...new Set(texts)].filter((text) => Buffer.byteLength(text) >= minBytes);

function leavesOf(value: string): string[] {
  if (!/^\s*[[{"]/.test(value)) return [];
  try {
    const strings: string[] = [];
    JSON.parse(value, (_, leaf: unknown) => {
      if (typeof leaf === 'string') strings.push(leaf.toWellFormed());
    });
    return strings;
  } catch {
    return [];
  }
}

/** Forms in which a text may be printed: itself, and usual encodings of it. */
export function listSpellings(text: string): Spellings {
  const bytes = Buffer.from(text);
  return { plain: unique([text, ...spellText(text)]), unbroken: unique([...base64(bytes), ...hex(bytes)]) };
}

const unique = (texts: string[]): Buffer[] => [...new Set(texts)].map((text) => Buffer.from(text));

const hex = (bytes: Buffer): string[] => [bytes.toString('hex'), bytes.toString('hex').toUpperCase()];

/**
 * Base64 in both alphabets (RFC 4648, sections 4 and 5), for every position of the value in the encoded text: without the
 * characters at its ends that also encode neighbouring bytes, and with the ending that it has at the end of a text.
 */
function base64(bytes: Buffer): string[] {
  const standard = [0, 1, 2].flatMap((before) => {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
    const first = Math.ceil((before * 8) / 6);
    const whole = shifted.toString('base64').slice(first, Math.floor((shifted.length * 8) / 6));
    const last = [shifted, Buffer.concat([shifted, Buffer.from('\n')])].map((text) =>
      text.toString('base64').slice(first),
    );
    return [whole, ...last];
  });
  return standard.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}
