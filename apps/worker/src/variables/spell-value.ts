/** Shorter ones, in bytes, would be found in everything. */
export const LEAST_BYTES = 4;

/** Ways in which a value may turn up, as bytes to look for. */
export interface Spellings {
  /** Looked for as they are. */
  plain: Buffer[];
  /** Looked for with line breaks left out: encoders break their lines. */
  unbroken: Buffer[];
}

/** How a secret value may look where it is printed: itself, its lines, and usual encodings of both. */
export function spellValue(value: string): Spellings {
  const texts = new Set([value, ...value.split(/\r?\n|\r/)]);
  const spellings: Spellings = { plain: [], unbroken: [] };
  for (const text of texts) {
    const bytes = Buffer.from(text);
    if (bytes.length < LEAST_BYTES) continue;
    spellings.plain.push(bytes, ...unique([...percent(text), ...escaped(text)]));
    spellings.unbroken.push(...unique([...base64(bytes), ...hex(bytes)]));
  }
  return spellings;
}

const unique = (texts: string[]): Buffer[] => [...new Set(texts)].map((text) => Buffer.from(text));

const hex = (bytes: Buffer): string[] => [bytes.toString('hex'), bytes.toString('hex').toUpperCase()];

/**
 * By what leaves which characters as they are: encodeURIComponent, RFC 3986, Python's quote (the slash), HTML forms (spaces
 * as +).
 */
function percent(text: string): string[] {
  const strict = [...Buffer.from(text)].map((byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9\-_.~]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0').toUpperCase()}`;
  });
  const rfc = strict.join('');
  const ways = [
    encodeURIComponent(text),
    rfc,
    rfc.replaceAll('%2F', '/'),
    rfc.replaceAll('%20', '+'),
    new URLSearchParams({ '': text }).toString().slice(1),
  ];
  return ways.flatMap((way) => [way, way.replace(/%../g, (code) => code.toLowerCase())]);
}

/** In JSON, as JavaScript writes it, in ASCII alone (Python), with slashes escaped (PHP), and safe for HTML (Go). */
function escaped(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const code = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const ascii = json.replace(/[^\x00-\x7f]/g, code);
  const html = json.replace(/[<>&\u2028\u2029]/g, code);
  return [json, ascii, json.replaceAll('/', '\\/'), ascii.replaceAll('/', '\\/'), html];
}

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
