import { z } from 'zod';
import { onlyServices } from './access.js';
import { internalOperation } from './operation.js';
import { SERVICES, type ServiceName } from './service-name.js';

const seconds = z.number().describe('Age of the oldest in seconds; 0 if there is none');

/** The work of a service that waits: what other services, its queues and its consumers have not done yet. */
const backlog = z.object({
  /** Events and jobs that are written and not yet relayed. */
  outbox: z.object({ waiting: z.number(), oldestSeconds: seconds }),
  /** Jobs that this service enqueues, by queue. */
  queues: z.record(
    z.string(),
    z.object({
      waiting: z.number(),
      active: z.number(),
      delayed: z.number(),
      failed: z.number(),
      oldestSeconds: seconds,
    }),
  ),
  /** Events that this service has not handled yet, by consumer. */
  events: z.record(z.string(), z.number()),
});
export type Backlog = z.infer<typeof backlog>;

const health = z.object({
  /** `starting` until the service can work, `draining` while it finishes its work and accepts no more. */
  status: z.enum(['ok', 'unavailable', 'starting', 'draining']),
  /** Absent in an older service. */
  version: z.string().optional(),
  /** Each dependency with `ok` or its failure. */
  checks: z.record(z.string(), z.string()),
  /** What an operator should look at although the service works, by subject. */
  warnings: z.record(z.string(), z.string()).optional(),
  backlog: backlog.optional(),
});
export type Health = z.infer<typeof health>;

/** Every service except the gateway handles this operation. */
const declare = (service: Exclude<ServiceName, 'gateway'>) =>
  internalOperation(`${service}.health.check`, {
    summary: 'Check the health of the service and its dependencies',
    access: onlyServices('gateway'),
    readOnly: true,
    body: z.object({}),
    response: health,
  });

export const healthChecks = Object.fromEntries(
  SERVICES.filter((service) => service !== 'gateway').map((service) => [service, declare(service)]),
) as Record<Exclude<ServiceName, 'gateway'>, ReturnType<typeof declare>>;
