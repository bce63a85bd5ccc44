import { z } from 'zod';
import { requires } from '../kit/access.js';
import { event } from '../kit/event.js';
import { operation } from '../kit/operation.js';
import { RESTRICTIONS } from './restriction.js';

const limit = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const budget = z
  .object({
    cloud_usage_limit: z.number().optional().describe('Execution units per month; absent if there is no limit'),
    stop_running: z.boolean().describe('Whether reaching the limit also stops running runs'),
    restriction: z.enum(RESTRICTIONS).optional().describe('Why no run can be started; absent if runs can be started'),
  })
  .meta({ id: 'BillingBudget' });

export const getBudget = operation('billing.budget.get', {
  method: 'GET',
  path: '/billing/budget',
  summary: 'Get the monthly usage limit of the vault',
  description:
    '`restriction` says why no run can be started at present: the credits of the plan are used up, or the limit ' +
    'is reached.',
  access: requires('vault.administer'),
  response: budget,
});

export const setBudget = operation('billing.budget.set', {
  method: 'PUT',
  path: '/billing/budget',
  summary: 'Set the monthly usage limit of the vault',
  description: 'Usage of the current month counts immediately.',
  access: requires('vault.administer'),
  body: z.strictObject({
    cloud_usage_limit: limit.nullable().describe('Execution units per month; null removes the limit'),
    stop_running: z.boolean().default(false).describe('Whether reaching the limit also stops running runs'),
  }),
  response: budget,
});

/** A user changed the limit. */
export const budgetChanged = event('billing.budget.changed', {
  version: 1,
  consumers: ['auth'],
  payload: z.object({
    vault: z.uuid(),
    limit: z.number().nullable(),
    stopRunning: z.boolean(),
    user: z.uuid(),
    address: z.string().optional(),
    agent: z.string().optional(),
  }),
});
