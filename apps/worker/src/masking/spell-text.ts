/** No encoding escapes these characters. */
const SAFE = /^[A-Za-z0-9_.-]*$/;

/** Forms of a text in other languages, as text; without encodings of bytes. */
export function spellText(text: string): string[] {
  if (SAFE.test(text)) return [];
  const json = escapeJson(text);
  return [...percent(text), ...json, ...json.map((one) => jsonOf(one)), ...shell(text), ...html(text), csv(text)];
}

/**
 * Percent-encodings differ in the characters that they do not encode: encodeURIComponent, RFC 3986, Python's quote (the
 * slash), HTML forms (spaces as +).
 */
function percent(text: string): string[] {
  const rfc = encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${hexOf(character, 2).toUpperCase()}`);
  const ways = [
    encodeURIComponent(text),
    rfc,
    rfc.replaceAll('%2F', '/'),
    rfc.replaceAll('%20', '+'),
    // The result of URLSearchParams, which takes 20 µs for a short text.
    rfc.replaceAll('%20', '+').replaceAll('%2A', '*').replaceAll('~', '%7E'),
  ];
  return ways.flatMap((way) => [way, way.replace(/%../g, (code) => code.toLowerCase())]);
}

/** JSON of JavaScript, in ASCII only (Python), with escaped slashes (PHP), and safe for HTML (Go). */
function escapeJson(text: string): string[] {
  const json = jsonOf(text);
  const code = (character: string) => `\\u${hexOf(character, 4)}`;
  const ascii = json.replace(/[^\x00-\x7f]/g, code);
  const forHtml = json.replace(/[<>&\u2028\u2029]/g, code);
  return [json, ascii, json.replaceAll('/', '\\/'), ascii.replaceAll('/', '\\/'), forHtml];
}

const jsonOf = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Within single quotes (two forms), as Bash's `printf %q` escapes it, and within `$'…'`. */
function shell(text: string): string[] {
  const special = /[ !"#$&'()*,;<>?[\\\]^`{|}~\t]/g;
  const names: Record<string, string> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\\': '\\\\', "'": "\\'" };
  return [
    text.replaceAll("'", `'\\''`),
    text.replaceAll("'", `'"'"'`),
    text.replace(special, '\\$&'),
    // printf %q escapes these two only at the beginning of a word.
    text.replace(special, (character, at) => (at > 0 && '#~'.includes(character) ? character : `\\${character}`)),
    text.replace(/["$`\\]/g, '\\$&'),
    text.replace(/[\n\t\r\\']/g, (character) => names[character] ?? character),
  ];
}

/** As libraries of JavaScript, Python, Go and XML escape it: without quotes, with double quotes, and with both. */
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
