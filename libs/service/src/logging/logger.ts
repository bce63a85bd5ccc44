import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { currentLogFields } from '@millrace/messaging/tracing/log-fields';
import { currentTraceId } from '@millrace/telemetry/tracing/spans';
import { LogWriter } from './log-writer.js';
import { describeError, redact, redactText } from './redact.js';

/**
 * Creates a logger that writes JSON lines to standard output. Fields with secret names and texts that look like
 * credentials are redacted; lines that cannot be written are dropped and counted. Each line has the fields of the work that
 * writes it, such as `requestId` and `runId`, and `traceId` if traces are on.
 * @param stream replaces standard output
 */
export function createLogger(service: string, level: string, stream?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: { service },
    messageKey: 'message',
    mixin: currentFields,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      log: (entry) => redact(entry) as Record<string, unknown>,
    },
    hooks: { streamWrite: redactText },
  };
  return pino(options, stream ?? new LogWriter(service));
}

function currentFields(): object {
  const traceId = currentTraceId();
  return traceId === undefined ? currentLogFields() : { ...currentLogFields(), traceId };
}

/** Adapter that lets Nest log through pino. A message is a text, or an object with `message` and fields. */
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
    const contextField = typeof context === 'string' ? { context } : {};
    if (message instanceof Error) this.logger[level]({ ...contextField, error: message }, describeError(message));
    else if (typeof message === 'object' && message !== null) this.logger[level]({ ...contextField, ...message });
    else this.logger[level](contextField, String(message));
  }
}
