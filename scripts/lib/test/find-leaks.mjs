/**
 * Patterns of credentials anywhere in a text. They are not imported from the logger, because they check it.
 * @type {Record<string, RegExp>}
 */
const PATTERNS = {
  'a JSON Web Token': /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]+)?/g,
  'an Authorization header': /\b(?:bearer|token|basic) +[\w.~+/=-]{20,}/gi,
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----/g,
  'a cookie': /\b(?:set-)?cookie\\?"?\s*[:=]\s*\\?"?(?!\[redacted\])[^\s;"\\=]+=[^\s;"\\]+/gi,
  'a URL with a password':
    /\b(?:postgres(?:ql)?|rediss?|nats|smtps?|https?):\/\/[^\s:@/"\\]*:(?!\[redacted\]@)[^\s@/"\\]+@/gi,
};

/** Shorter ones would be found by chance. */
const SHORTEST = 8;

/**
 * @typedef {{ line: number, what: string, excerpt: string }} Leak line counts from 1; excerpt: what stands around it, itself masked
 */

/**
 * Looks for known secrets, as they are and as JSON or a URL would write them, and for what looks like one.
 * @param {string} text of a log
 * @param {Iterable<string>} secrets
 * @returns {Leak[]} one for each line at most
 */
export function findLeaks(text, secrets) {
  const known = [...new Set([...secrets].filter(({ length }) => length >= SHORTEST).flatMap(formsOf))];
  const present = known.filter((form) => text.includes(form));
  const lines = text.split('\n').map((line, index) => leakIn(line, index + 1, present));
  return lines.filter((leak) => leak !== undefined);
}

/** @param {string} secret */
function formsOf(secret) {
  const inForm = new URLSearchParams({ s: secret }).toString().slice(2);
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), inForm];
}

/**
 * @param {string} text
 * @param {number} line
 * @param {string[]} secrets
 * @returns {Leak | undefined}
 */
function leakIn(text, line, secrets) {
  const found = secrets.filter((secret) => text.includes(secret));
  const looks = Object.entries(PATTERNS).filter(([, pattern]) => text.search(pattern) !== -1);
  if (found.length === 0 && looks.length === 0) return undefined;
  const what = found.length > 0 ? 'a secret that the tests know' : (looks[0]?.[0] ?? '');
  const masked = looks.reduce((left, [, pattern]) => left.replaceAll(pattern, '***'), maskAll(text, found));
  const at = Math.max(0, masked.indexOf('***') - 100);
  return { line, what, excerpt: masked.slice(at, at + 160) };
}

/**
 * @param {string} text
 * @param {string[]} secrets
 */
function maskAll(text, secrets) {
  return secrets.toSorted((a, b) => b.length - a.length).reduce((left, secret) => left.replaceAll(secret, '***'), text);
}
