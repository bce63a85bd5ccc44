const CENSOR = '[redacted]';

/** Fields that never reach a log, wherever in an entry they stand. */
const SECRET_FIELD =
  /password|secret|authorization|cookie|token|refresh|recovery|sealed|ticket|(?:device|user|mfa)_?code|card_?number|private|^(?:access|cvc|link)$/i;

/** What is worth keeping of an error beside its words. Others may quote parameters: a driver's `detail`, Redis' `command`. */
const ERROR_FIELDS = ['code', 'errno', 'syscall', 'status', 'responseCode', 'constraint', 'table', 'column'];

const MAX_DEPTH = 8;

/** A copy of what is to be logged without its secrets: fields by their name, errors by their known fields. */
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
  const isBare = value === null || value === undefined || typeof value === 'boolean';
  return SECRET_FIELD.test(key) && !isBare ? CENSOR : redact(value, depth + 1);
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  const words = describeError(error);
  const known = ERROR_FIELDS.map((name) => [name, (error as unknown as Record<string, unknown>)[name]] as const);
  const kept = known.filter(([, value]) => ['string', 'number'].includes(typeof value));
  return {
    type: error.constructor.name,
    message: words,
    stack: error.stack?.replace(error.message, () => words),
    ...Object.fromEntries(kept),
    ...(error.cause !== undefined && { cause: redact(error.cause, depth + 1) }),
    ...(error instanceof AggregateError && { errors: redact(error.errors, depth + 1) }),
  };
}

/** An error's message; Prisma's holds the arguments of a refused call, in the paragraphs between the first and the last. */
export function describeError({ name, message }: Error): string {
  if (name !== 'PrismaClientValidationError') return message;
  const paragraphs = message.trim().split('\n\n');
  return [paragraphs[0], paragraphs.at(-1)].join(' ');
}
