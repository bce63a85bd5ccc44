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

/** Shorter secrets would be found by chance. */
const MIN_SECRET_LENGTH = 8;

/**
 * @typedef {{ line: number, kind: string, excerpt: string }} Leak line counts from 1; excerpt: the text around the masked secret
 */

/**
 * Finds known secrets, unmodified and as encoded in JSON or a URL, and texts that look like a secret.
 * @param {string} text of a log
 * @param {Iterable<string>} secrets
 * @returns {Leak[]} at most one per line
 */
export function findLeaks(text, secrets) {
  const known = [...new Set([...secrets].filter(({ length }) => length >= MIN_SECRET_LENGTH).flatMap(encodings))];
  const present = known.filter((form) => text.includes(form));
  const lines = text.split('\n').map((line, index) => findLeak(line, index + 1, present));
  return lines.filter((leak) => leak !== undefined);
}

/** @param {string} secret */
function encodings(secret) {
  const formEncoded = new URLSearchParams({ s: secret }).toString().slice(2);
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), formEncoded];
}

/**
 * @param {string} text
 * @param {number} line
 * @param {string[]} secrets
 * @returns {Leak | undefined}
 */
function findLeak(text, line, secrets) {
  const found = secrets.filter((secret) => text.includes(secret));
  const matches = Object.entries(PATTERNS).filter(([, pattern]) => text.search(pattern) !== -1);
  if (found.length === 0 && matches.length === 0) return undefined;
  const kind = found.length > 0 ? 'a secret of the tests' : (matches[0]?.[0] ?? '');
  const masked = matches.reduce((rest, [, pattern]) => rest.replaceAll(pattern, '***'), maskAll(text, found));
  const start = Math.max(0, masked.indexOf('***') - 100);
  return { line, kind, excerpt: masked.slice(start, start + 160) };
}

/**
 * @param {string} text
 * @param {string[]} secrets
 */
function maskAll(text, secrets) {
  return secrets.toSorted((a, b) => b.length - a.length).reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}
