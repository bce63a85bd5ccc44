import { z } from 'zod';
import { requires } from '../kit/access.js';
import { event } from '../kit/event.js';
import { text } from '../kit/fields.js';
import { operation } from '../kit/operation.js';
import { customer } from './customer.js';

/** Plans that an installation begins with. They are data (`billing.plan`): an operator can change what they give, and add others. */
export const PLANS = ['free', 'team', 'enterprise'] as const;
export type PlanName = (typeof PLANS)[number];

/** Whether a plan has roles beyond the default ones, as long as billing has said nothing else of it. */
export const planHasRoles = (plan: PlanName): boolean => plan === 'enterprise';

const plan = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    monthly_credits: z.number().optional().describe('Absent is without limit'),
    roles: z.boolean().describe('Whether roles beyond the default ones can be given'),
    open: z.boolean().describe('Whether it can be chosen; else only those have it who have it already'),
    current: z.boolean().describe('Whether the vault is on it'),
  })
  .meta({ id: 'BillingPlan' });

export const listPlans = operation('billing.plans.list', {
  method: 'GET',
  path: '/billing/plans',
  summary: 'The plans that there are',
  access: requires('vault.administer'),
  response: z.object({ results: z.array(plan) }),
});

export const choosePlan = operation('billing.plans.choose', {
  method: 'PUT',
  path: '/billing/plan',
  summary: 'Put the vault on a plan, from now on',
  access: requires('vault.administer'),
  body: z.strictObject({ plan: text(255, 1).describe('The id of one of the plans') }),
  response: customer,
});

const turn = {
  vault: z.uuid(),
  /** The highest counts, for they may be heard in any order. */
  number: z.number().int().describe('Of what was told of the plan of this vault, from 1 on'),
  plan: z.string(),
};

/** A vault is on another plan. */
export const planChanged = event('billing.plan.changed', {
  version: 1,
  consumers: ['auth'],
  payload: z.object({
    ...turn,
    roles: z.boolean().optional().describe('Whether it has roles; absent where a version of before tells'),
    former: z.string(),
    user: z.uuid().describe('Who did it'),
    address: z.string().optional(),
  }),
});

/** Whether the plan of a vault has roles is another than it was told; nobody in the vault has done it. */
export const planRolesChanged = event('billing.plan.amended', {
  version: 1,
  consumers: ['auth'],
  payload: z.object({ ...turn, roles: z.boolean() }),
});
