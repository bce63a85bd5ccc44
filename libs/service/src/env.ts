import { z } from 'zod';
import type { ServiceName } from '@millrace/contracts/kit/service-name';

/** What every process reads from its environment. */
export const baseEnv = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  NATS_URL: z.url(),
  /** The service's own password at the broker; absent where `NATS_URL` carries credentials. */
  NATS_PASSWORD: z.string().optional(),
  REDIS_URL: z.url(),
  /** MiB that the disk of each data folder must have left, or a tenth of a small disk; with less it counts as full. */
  DISK_MIN_FREE_MIB: z.coerce.number().int().min(1).default(64),
  /** Port for `GET /health`, where an orchestrator wants one. */
  HEALTH_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
});

/** Of those that keep secrets of their own; the worker, which runs other people's code, is none of them. */
export const secretEnv = baseEnv.extend({
  /** Secret of the installation, at least 32 characters; losing it makes what is encrypted unreadable. */
  MILLRACE_SECRET: z.string().min(32),
});

/** Of services that own tables, too. */
export const databaseEnv = secretEnv.extend({
  DATABASE_URL: z.url(),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(1).max(500).default(10),
});

export type ProcessEnv = Record<string, string | undefined>;

/** Settings that a service cannot start with. The message says all that there is to say; no stack is shown. */
export class InvalidEnvironmentError extends Error {}

/**
 * Reads a service's environment. Where several services share a process, `NATS_PASSWORD_<SERVICE>` is its own password.
 * @throws InvalidEnvironmentError that lists every problem at once
 */
export function readEnv<S extends z.ZodType>(service: ServiceName, schema: S, source: ProcessEnv): z.output<S> {
  const own = source[`NATS_PASSWORD_${service.toUpperCase()}`] ?? source['NATS_PASSWORD'];
  const given = Object.fromEntries(
    Object.entries({ ...source, NATS_PASSWORD: own }).filter(([, value]) => value !== ''),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new InvalidEnvironmentError(`The settings of ${service} are not valid:\n- ${problems.join('\n- ')}`);
}
