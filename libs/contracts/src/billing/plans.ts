import { z } from 'zod';
import { may } from '../kit/access.js';
import { event } from '../kit/event.js';
import { operation } from '../kit/operation.js';
import { customer } from './customer.js';

/** Names of the plans. What each gives is data (`billing.plan`), so that an operator can change it. */
export const PLANS = ['free', 'team', 'enterprise'] as const;
export type PlanName = (typeof PLANS)[number];

/** Whether a plan knows roles beyond the default ones. */
export const planHasRoles = (plan: string): boolean => plan === 'enterprise';

const plan = z
  .object({
    id: z.enum(PLANS),
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
  access: may('vault.administer'),
  response: z.object({ results: z.array(plan) }),
});

export const choosePlan = operation('billing.plans.choose', {
  method: 'PUT',
  path: '/billing/plan',
  summary: 'Put the vault on a plan, from now on',
  access: may('vault.administer'),
  body: z.strictObject({ plan: z.enum(PLANS) }),
  response: customer,
});

/** A vault is on another plan. Of several the one with the highest `number` counts, for they may be heard in any order. */
export const planChanged = event('billing.plan.changed', {
  version: 1,
  listeners: ['auth'],
  payload: z.object({
    vault: z.uuid(),
    number: z.number().int().describe('Of the changes of this vault, from 1 on'),
    plan: z.enum(PLANS),
    former: z.string(),
    user: z.uuid().describe('Who did it'),
    address: z.string().optional(),
  }),
});
