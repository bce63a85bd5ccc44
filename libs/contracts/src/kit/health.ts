import { z } from 'zod';
import { onlyServices } from './access.js';
import { internalOperation } from './operation.js';
import { SERVICES, type ServiceName } from './service-name.js';

const health = z.object({
  status: z.enum(['ok', 'unavailable']),
  /** Each dependency with `ok` or its failure. */
  checks: z.record(z.string(), z.string()),
  /** What an operator should look at although the service works, by subject. */
  warnings: z.record(z.string(), z.string()).optional(),
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
