import type { LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';
import type { ServiceName } from '@millrace/contracts/kit/service-name';

/** Fields that never reach a log, wherever in an entry they stand. */
const SECRET_FIELDS = [
  'password',
  'token',
  'refresh',
  'access',
  'authorization',
  'cookie',
  'secret',
  'card_number',
  'cvc',
];

const redacted = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

/** JSON lines on standard output. */
export function createLogger(service: ServiceName, level: string): Logger {
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { error: pino.stdSerializers.errWithCause },
    redact: { paths: redacted, censor: '[redacted]' },
  });
}

/** Lets Nest log through pino; a message may be text or an object with `message` and more. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log = (message: unknown, ...rest: unknown[]) => this.write('info', message, rest);
  error = (message: unknown, ...rest: unknown[]) => this.write('error', message, rest);
  warn = (message: unknown, ...rest: unknown[]) => this.write('warn', message, rest);
  debug = (message: unknown, ...rest: unknown[]) => this.write('debug', message, rest);
  verbose = (message: unknown, ...rest: unknown[]) => this.write('trace', message, rest);
  fatal = (message: unknown, ...rest: unknown[]) => this.write('fatal', message, rest);

  /** Nest passes the context (a class name) last. */
  private write(
    level: 'info' | 'error' | 'warn' | 'debug' | 'trace' | 'fatal',
    message: unknown,
    rest: unknown[],
  ): void {
    const context = rest.at(-1);
    const where = typeof context === 'string' ? { context } : {};
    if (message instanceof Error) this.logger[level]({ ...where, error: message }, message.message);
    else if (typeof message === 'object' && message !== null) this.logger[level]({ ...where, ...message });
    else this.logger[level](where, String(message));
  }
}
