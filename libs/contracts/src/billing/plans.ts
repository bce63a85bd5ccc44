import { z } from 'zod';
import { requires } from '../kit/access.js';
import { event } from '../kit/event.js';
import { text } from '../kit/fields.js';
import { operation } from '../kit/operation.js';
import { customer } from './customer.js';

/** Plans of a new installation. They are rows of `billing.plan`: operators can change them and add others. */
export const PLANS = ['free', 'team', 'enterprise'] as const;
export type PlanName = (typeof PLANS)[number];

/** Whether a plan has roles other than the default ones, until billing publishes otherwise. */
export const planHasRoles = (plan: PlanName): boolean => plan === 'enterprise';

const plan = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    monthly_credits: z.number().optional().describe('Absent if unlimited'),
    roles: z.boolean().describe('Whether roles other than the default ones can be assigned'),
    max_running_subjobs: z
      .number()
      .optional()
      .describe('Subjobs of a vault that run at once. Absent if the setting of the installation applies'),
    max_active_runs: z
      .number()
      .optional()
      .describe('Runs of a vault that have not ended. Absent if the setting of the installation applies'),
    open: z.boolean().describe('Whether vaults can switch to it; otherwise only vaults that already have it keep it'),
    current: z.boolean().describe('Whether the vault has it'),
  })
  .meta({ id: 'BillingPlan' });

export const listPlans = operation('billing.plans.list', {
  method: 'GET',
  path: '/billing/plans',
  summary: 'List the available plans',
  description:
    'Includes plans that cannot be chosen. `current` marks the plan of the vault. The operator of the ' +
    'installation may change plans.',
  access: requires('vault.administer'),
  response: z.object({ results: z.array(plan) }),
});

export const choosePlan = operation('billing.plans.choose', {
  method: 'PUT',
  path: '/billing/plan',
  summary: 'Switch the vault to another plan, effective immediately',
  description:
    'Usage of the current month counts against the new plan. An unknown plan is 400, and one that cannot be ' +
    'chosen (`open` is false) is 403.',
  access: requires('vault.administer'),
  body: z.strictObject({ plan: text(255, 1).describe('Id of one of the plans') }),
  response: customer,
});

const transition = {
  vault: z.uuid(),
  /** The highest number is current, because events may arrive in any order. */
  number: z.number().int().describe('Counts the plan events of this vault from 1'),
  plan: z.string(),
};

/** A vault has switched to another plan. */
export const planChanged = event('billing.plan.changed', {
  version: 1,
  consumers: ['auth'],
  payload: z.object({
    ...transition,
    roles: z.boolean().describe('Whether the plan has roles'),
    former: z.string(),
    user: z.uuid().describe('User who switched the plan'),
    address: z.string().optional(),
    agent: z.string().optional(),
  }),
});

/** The plan of a vault has gained or lost roles, without an action by a user of the vault. */
export const planRolesChanged = event('billing.plan.amended', {
  version: 1,
  consumers: ['auth'],
  payload: z.object({ ...transition, roles: z.boolean() }),
});

/** The limits of a vault differ from those published before, because of another plan or a change of the plan. */
export const vaultLimitsChanged = event('billing.limits.changed', {
  version: 1,
  consumers: ['runs'],
  payload: z.object({
    vault: z.uuid(),
    /** The highest number is current, because events may arrive in any order. */
    number: z.number().int().describe('Counts the changes of limits of this vault from 1'),
    runningSubjobs: z.number().int().nullable().describe('Null if the setting of the installation applies'),
    activeRuns: z.number().int().nullable().describe('Null if the setting of the installation applies'),
  }),
});
