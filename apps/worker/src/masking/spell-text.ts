/** Nothing escapes these. */
const SAFE = /^[A-Za-z0-9_.-]*$/;

/** Ways in which a text may be written in other languages: as text again, without encodings of bytes. */
export function spellText(text: string): string[] {
  if (SAFE.test(text)) return [];
  const json = escapeJson(text);
  return [...percent(text), ...json, ...json.map((one) => jsonOf(one)), ...shell(text), ...html(text), csv(text)];
}

/**
 * By what leaves which characters as they are: encodeURIComponent, RFC 3986, Python's quote (the slash), HTML forms (spaces
 * as +).
 */
function percent(text: string): string[] {
  const rfc = encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${hexOf(character, 2).toUpperCase()}`);
  const ways = [
    encodeURIComponent(text),
    rfc,
    rfc.replaceAll('%2F', '/'),
    rfc.replaceAll('%20', '+'),
    // As URLSearchParams, which takes 20 µs for a short text.
    rfc.replaceAll('%20', '+').replaceAll('%2A', '*').replaceAll('~', '%7E'),
  ];
  return ways.flatMap((way) => [way, way.replace(/%../g, (code) => code.toLowerCase())]);
}

/** In JSON, as JavaScript writes it, in ASCII alone (Python), with slashes escaped (PHP), and safe for HTML (Go). */
function escapeJson(text: string): string[] {
  const json = jsonOf(text);
  const code = (character: string) => `\\u${hexOf(character, 4)}`;
  const ascii = json.replace(/[^\x00-\x7f]/g, code);
  const forHtml = json.replace(/[<>&\u2028\u2029]/g, code);
  return [json, ascii, json.replaceAll('/', '\\/'), ascii.replaceAll('/', '\\/'), forHtml];
}

const jsonOf = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Within single quotes (as people and as Python write it), by Bash's `printf %q`, and within `$'…'`. */
function shell(text: string): string[] {
  const special = /[ !"#$&'()*,;<>?[\\\]^`{|}~\t]/g;
  const names: Record<string, string> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\\': '\\\\', "'": "\\'" };
  return [
    text.replaceAll("'", `'\\''`),
    text.replaceAll("'", `'"'"'`),
    text.replace(special, '\\$&'),
    // It escapes these two at the beginning of a word alone.
    text.replace(special, (character, at) => (at > 0 && '#~'.includes(character) ? character : `\\${character}`)),
    text.replace(/["$`\\]/g, '\\$&'),
    text.replace(/[\n\t\r\\']/g, (character) => names[character] ?? character),
  ];
}

/** As JavaScript's, Python's, Go's and XML's libraries write it; from what is escaped in text alone to quotes as well. */
function html(text: string): string[] {
  const base = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quotes = [
    ['"', "'"],
    ['&quot;', "'"],
    ['&quot;', '&#39;'],
    ['&quot;', '&#x27;'],
    ['&quot;', '&#039;'],
    ['&quot;', '&apos;'],
    ['&#34;', '&#39;'],
  ] as const;
  return quotes.map(([double, single]) => base.replaceAll('"', double).replaceAll("'", single));
}

const csv = (text: string): string => text.replaceAll('"', '""');

const hexOf = (character: string, digits: number): string => character.charCodeAt(0).toString(16).padStart(digits, '0');
