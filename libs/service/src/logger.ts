import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { LogWriter } from './log-writer.js';
import { redact, describeError } from './redact.js';
import { redactText } from './scrub.js';

/**
 * JSON lines on standard output; those that cannot be written are dropped and counted. No entry holds a field that is secret by its name, nor text that looks like a credential.
 * @param stream where they go instead
 */
export function createLogger(service: ServiceName, level: string, stream?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      log: (entry) => redact(entry) as Record<string, unknown>,
    },
    hooks: { streamWrite: redactText },
  };
  return pino(options, stream ?? new LogWriter(service));
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
    if (message instanceof Error) this.logger[level]({ ...where, error: message }, describeError(message));
    else if (typeof message === 'object' && message !== null) this.logger[level]({ ...where, ...message });
    else this.logger[level](where, String(message));
  }
}
