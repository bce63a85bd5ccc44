import { z } from 'zod';
import { onlyServices } from '../../kit/access.js';
import { internalOperation } from '../../kit/operation.js';

/** Services that count what a vault uses. */
export const COUNTING_SERVICES = ['workflows', 'runs', 'datasets', 'billing'] as const;
export type CountingService = (typeof COUNTING_SERVICES)[number];

const declare = (service: CountingService) =>
  internalOperation(`${service}.vaults.measure`, {
    summary: 'Measure what some vaults use',
    access: onlyServices('auth'),
    readOnly: true,
    body: z.object({ vaults: z.array(z.uuid()).max(1_000) }),
    /** One number for each vault that uses something. */
    response: z.object({ amounts: z.record(z.string(), z.number()) }),
  });

/** By service: bytes of files and runs (workflows), active runs, rows of Live Tables, execution units of the month. */
export const measureVaults = Object.fromEntries(
  COUNTING_SERVICES.map((service) => [service, declare(service)]),
) as Record<CountingService, ReturnType<typeof declare>>;
