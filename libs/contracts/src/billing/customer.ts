import { z } from 'zod';
import { requires } from '../kit/access.js';
import { operation } from '../kit/operation.js';

export const customer = z
  .object({
    id: z.string(),
    vault_id: z.string(),
    vault_info: z.string().describe('Id of the vault'),
    restricted: z
      .boolean()
      .describe('No run can be started, because the credits are used up or the usage limit is reached'),
    cloud_usage_limit: z.number().optional().describe('Execution units per month; absent if there is no limit'),
    execution_units: z.number().describe('Used in the current month (UTC)'),
    plan: z.string(),
    is_active: z.boolean().describe('True while the vault exists'),
    credits_remaining: z.number().optional().describe('Left in the current month; absent if the plan has no limit'),
    credits_used: z.number().describe('Used in the current month; one credit is 60 execution units'),
  })
  .meta({ id: 'BillingCustomer' });

export const getCustomer = operation('billing.customers.get', {
  method: 'GET',
  path: '/billing/customer',
  summary: 'Get the usage and limits of the vault for this month',
  description: 'Months are calendar months in UTC. Usage appears shortly after an attempt at a subjob has ended.',
  access: requires('vault.administer'),
  response: customer,
});
