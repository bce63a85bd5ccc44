const CENSOR = '[redacted]';

/** Patterns of credentials in any text, and their replacements. No pattern matches a quote or a backslash. */
const CREDENTIAL_PATTERNS: [pattern: RegExp, replacement: string][] = [
  // JSON Web Tokens, signed or unsigned.
  [/\beyJ[\w-]{6,}\.[\w-]{6,}(?:\.[\w-]*)?/g, CENSOR],
  [/\b(Bearer|Token|Basic)\s+[\w.~+/=-]{16,}/gi, `$1 ${CENSOR}`],
  [/-----BEGIN ([A-Z ]*PRIVATE KEY)-----[^"-]*-----END \1-----/g, CENSOR],
  // The password in a URL; it may contain characters that are invalid in URLs.
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s:@/"\\]*):[^\s@/"\\]+@/gi, `$1:${CENSOR}@`],
  [/([?&](?:token|ticket|code|user_code|state|access_token|refresh|signature)=)[^&#\s"\\]+/gi, `$1${CENSOR}`],
  [/(\/hooks\/)[\w-]{16,}/g, `$1${CENSOR}`],
  [/\b((?:set-)?cookie"?\s*[:=]\s*)[^\s;"\\=]+=[^\s;"\\]+/gi, `$1${CENSOR}`],
  // Postgres quotes the row that broke a constraint: `Key (email)=(ada@example.org) already exists`.
  [/\b(Key \([^()"]+\))=\([^"\\]*?\)(?= (?:already|is|conflicts|=))/g, `$1=(${CENSOR})`],
];

/** Redacts credentials in a text. Opaque tokens look like any other word; `redact` removes them by field name. */
export const redactText = (text: string): string =>
  CREDENTIAL_PATTERNS.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
