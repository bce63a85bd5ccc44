const CENSOR = '[redacted]';

/** Names of fields that are redacted at any depth. */
const SECRET_FIELD =
  /password|secret|authorization|cookie|token|refresh|recovery|sealed|ticket|(?:device|user|mfa)_?code|card_?number|private|^(?:access|cvc|link)$/i;

/**
 * Fields of an error that are logged. Others may quote parameters: `detail` of a database driver, `command` of Redis.
 */
const ERROR_FIELDS = ['code', 'errno', 'syscall', 'status', 'responseCode', 'constraint', 'table', 'column'];

const MAX_DEPTH = 8;

/** Returns a copy for logging, without secrets: fields by their name, errors reduced to known fields. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth > MAX_DEPTH) return '[deeper]';
  if (value instanceof Error) return redactError(value, depth);
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  const entries = Object.entries(value).map(([key, item]) => [key, redactField(key, item, depth)]);
  return Object.fromEntries(entries) as unknown;
}

function redactField(key: string, value: unknown, depth: number): unknown {
  const isHarmless = value === null || value === undefined || typeof value === 'boolean';
  return SECRET_FIELD.test(key) && !isHarmless ? CENSOR : redact(value, depth + 1);
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  const message = describeError(error);
  const fields = ERROR_FIELDS.map((name) => [name, (error as unknown as Record<string, unknown>)[name]] as const);
  const loggable = fields.filter(([, value]) => ['string', 'number'].includes(typeof value));
  return {
    type: error.constructor.name,
    message,
    stack: error.stack?.replace(error.message, () => message),
    ...Object.fromEntries(loggable),
    ...(error.cause !== undefined && { cause: redact(error.cause, depth + 1) }),
    ...(error instanceof AggregateError && { errors: redact(error.errors, depth + 1) }),
  };
}

/**
 * Returns the message of an error. Messages of Prisma contain the arguments of a rejected call between their first and
 * last paragraph, which are omitted.
 */
export function describeError({ name, message }: Error): string {
  if (name !== 'PrismaClientValidationError') return message;
  const paragraphs = message.trim().split('\n\n');
  return [paragraphs[0], paragraphs.at(-1)].join(' ');
}

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
