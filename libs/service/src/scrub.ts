const CENSOR = '[redacted]';

/** What looks like a credential wherever it stands, and what is left of it. None of them takes a quote or a backslash. */
const LOOKS_SECRET: [pattern: RegExp, rest: string][] = [
  // JSON Web Tokens, signed or not.
  [/\beyJ[\w-]{6,}\.[\w-]{6,}(?:\.[\w-]*)?/g, CENSOR],
  [/\b(Bearer|Token|Basic)\s+[\w.~+/=-]{16,}/gi, `$1 ${CENSOR}`],
  [/-----BEGIN ([A-Z ]*PRIVATE KEY)-----[^"-]*-----END \1-----/g, CENSOR],
  // user:password@ of a URL; passwords may hold what a URL would not.
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s:@/"\\]*):[^\s@/"\\]+@/gi, `$1:${CENSOR}@`],
  [/([?&](?:token|ticket|code|user_code|state|access_token|refresh|signature)=)[^&#\s"\\]+/gi, `$1${CENSOR}`],
  [/(\/hooks\/)[\w-]{16,}/g, `$1${CENSOR}`],
  [/\b((?:set-)?cookie"?\s*[:=]\s*)[^\s;"\\=]+=[^\s;"\\]+/gi, `$1${CENSOR}`],
  // Postgres quotes the row that broke a constraint: `Key (email)=(ada@example.org) already exists`.
  [/\b(Key \([^()"]+\))=\([^"\\]*?\)(?= (?:already|is|conflicts|=))/g, `$1=(${CENSOR})`],
];

/** Takes out of a text what looks like a credential. Opaque tokens look like any other word: fields keep those out. */
export const redactText = (text: string): string =>
  LOOKS_SECRET.reduce((left, [pattern, rest]) => left.replace(pattern, rest), text);
