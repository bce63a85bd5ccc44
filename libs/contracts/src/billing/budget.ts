import { z } from 'zod';
import { requires } from '../kit/access.js';
import { event } from '../kit/event.js';
import { operation } from '../kit/operation.js';
import { RESTRICTIONS } from './restriction.js';

const limit = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const budget = z
  .object({
    cloud_usage_limit: z.number().optional().describe('Execution units a month; absent is without limit'),
    stop_running: z.boolean().describe('Whether reaching the limit also stops what runs'),
    restriction: z.enum(RESTRICTIONS).optional().describe('Why no run can be started now; absent where runs can'),
  })
  .meta({ id: 'BillingBudget' });

export const getBudget = operation('billing.budget.get', {
  method: 'GET',
  path: '/billing/budget',
  summary: 'The limit that the vault has set for its usage in a month',
  access: requires('vault.administer'),
  response: budget,
});

export const setBudget = operation('billing.budget.set', {
  method: 'PUT',
  path: '/billing/budget',
  summary: 'Set the limit of usage in a month; what is reached already counts at once',
  access: requires('vault.administer'),
  body: z.strictObject({
    cloud_usage_limit: limit.nullable().describe('Execution units a month; null is without limit'),
    stop_running: z.boolean().default(false),
  }),
  response: budget,
});

/** Somebody set the limit anew. */
export const budgetChanged = event('billing.budget.changed', {
  version: 1,
  consumers: ['auth'],
  payload: z.object({
    vault: z.uuid(),
    limit: z.number().nullable(),
    stopRunning: z.boolean(),
    user: z.uuid(),
    address: z.string().optional(),
  }),
});
