import { z } from 'zod';
import { toErrorDetails } from '@millrace/contracts/kit/api-error';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { findTlsProblems, tlsFiles } from '@millrace/persistence/connections/tls-env';
import { tracingEnv } from '@millrace/telemetry/tracing/start-tracing';

/** Environment variables of every process. */
export const baseEnv = tracingEnv.extend({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  NATS_URL: z.url(),
  /** Broker password of the service; absent if `NATS_URL` contains credentials. */
  NATS_PASSWORD: z.string().optional(),
  REDIS_URL: z.url(),
  ...tlsFiles('NATS'),
  ...tlsFiles('REDIS'),
  /**
   * Minimum free space in MiB on the disk of each data folder (or a tenth of a small disk); with less, the disk counts
   * as full.
   */
  DISK_MIN_FREE_MIB: z.coerce.number().int().min(1).default(64),
  /** Port of `GET /health/live`, `/health/ready`, `/health/startup` and `/metrics`, for an orchestrator and monitoring. */
  HEALTH_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
});

/** For services that store secrets. The worker, which runs code of users, has none. */
export const secretEnv = baseEnv.extend({
  /** Secret of the installation, at least 32 characters. Without it, encrypted data is lost. */
  MILLRACE_SECRET: z.string().min(32),
});

/** For services with tables. */
export const databaseEnv = secretEnv.extend({
  DATABASE_URL: z.url(),
  ...tlsFiles('DATABASE'),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(1).max(500).default(10),
  /** How long events are kept for a service that is down. Three minutes is more than the window for duplicates. */
  EVENT_RETENTION_HOURS: z.coerce.number().min(0.05).max(8_760).default(168),
  /** Deliveries after which an event that fails counts as dead. 60 take an hour. */
  EVENT_MAX_DELIVERIES: z.coerce.number().int().min(1).max(10_000).default(60),
  /** Days for which events and jobs that failed for good are kept. */
  DEAD_LETTER_RETENTION_DAYS: z.coerce.number().int().min(1).max(3_650).default(30),
});

export type ProcessEnv = Record<string, string | undefined>;

/** An invalid environment. The message is complete, so no stack is shown. */
export class InvalidEnvironmentError extends Error {}

/** Variables that have a value for each service if several share a process, such as `NATS_PASSWORD_AUTH`. */
const OWN_VARIABLES = ['NATS_PASSWORD', 'DATABASE_URL'];

/**
 * Parses the environment of a service. If several services share a process, `NATS_PASSWORD_<SERVICE>` and
 * `DATABASE_URL_<SERVICE>` take precedence.
 * @throws InvalidEnvironmentError that lists every problem
 */
export function readEnv<S extends z.ZodType>(service: ServiceName, schema: S, source: ProcessEnv): z.output<S> {
  const own = OWN_VARIABLES.map((name) => [name, source[`${name}_${service.toUpperCase()}`] || source[name]]);
  const variables = Object.fromEntries(
    Object.entries({ ...source, ...(Object.fromEntries(own) as ProcessEnv) }).filter(([, value]) => value !== ''),
  );
  const parsed = schema.safeParse(variables);
  const tlsProblems = parsed.success ? findTlsProblems(parsed.data as ProcessEnv) : [];
  if (parsed.success && tlsProblems.length === 0) return parsed.data;
  const details = parsed.error ? Object.entries(toErrorDetails(parsed.error)) : [];
  const problems = [...details.map(([name, problem]) => `${name} ${String(problem)}`), ...tlsProblems];
  throw new InvalidEnvironmentError(
    `The environment of the ${service} service is not valid:\n- ${problems.join('\n- ')}`,
  );
}
