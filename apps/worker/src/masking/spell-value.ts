import { spellText } from './spell-text.js';

/** Shorter ones, in bytes, would be found in everything. */
export const MIN_SECRET_BYTES = 4;
/** Of strings within a value that is JSON: there are short words among them. */
const MIN_JSON_STRING_BYTES = 8;

/** Ways in which a text may turn up, as bytes to look for. */
export interface Spellings {
  /** Looked for as they are. */
  plain: Buffer[];
  /** Looked for with line breaks and blanks left out: encoders break their lines, and `od` and `xxd` put blanks. */
  unbroken: Buffer[];
}

/** What of a value is a secret as a whole: itself, and itself with white space trimmed or collapsed. */
export function listWholeSecrets(value: string): string[] {
  const trimmed = value.trim();
  return longEnough([value, trimmed, trimmed.replace(/\s+/g, ' ')], MIN_SECRET_BYTES);
}

/** Its lines, and where it is JSON the strings in it, which may be printed by themselves. */
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

const longEnough = (texts: string[], least: number): string[] =>
  [...new Set(texts)].filter((text) => Buffer.byteLength(text) >= least);

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

/** How a text may look where it is printed: itself, and usual encodings of it. */
export function spellings(text: string): Spellings {
  const bytes = Buffer.from(text);
  return { plain: unique([text, ...spellText(text)]), unbroken: unique([...base64(bytes), ...hex(bytes)]) };
}

const unique = (texts: string[]): Buffer[] => [...new Set(texts)].map((text) => Buffer.from(text));

const hex = (bytes: Buffer): string[] => [bytes.toString('hex'), bytes.toString('hex').toUpperCase()];

/**
 * Base64 in both alphabets, wherever in the encoded text the value begins (RFC 4648, sections 4 and 5): without the
 * characters at either end that its neighbours have a share in, and with the end that it has as the last of a text.
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
