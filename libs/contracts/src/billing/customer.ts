import { z } from 'zod';
import { requires } from '../kit/access.js';
import { operation } from '../kit/operation.js';

export const customer = z
  .object({
    id: z.string(),
    vault_id: z.string(),
    vault_info: z.string().describe('Id of the vault'),
    restricted: z.boolean().describe('No run can be started: credits are used up, or the usage limit is reached'),
    cloud_usage_limit: z.number().optional().describe('Execution units a month; absent is without limit'),
    execution_units: z.number().describe('Of the current month (UTC)'),
    plan: z.string(),
    is_active: z.boolean().describe('True for as long as the vault is there'),
    credits_remaining: z.number().optional().describe('Of the current month; absent where the plan has no limit'),
    credits_used: z.number().describe('In the current month; a credit is 60 execution units'),
  })
  .meta({ id: 'BillingCustomer' });

export const getCustomer = operation('billing.customers.get', {
  method: 'GET',
  path: '/billing/customer',
  summary: 'What the vault has used this month, and what it may use',
  access: requires('vault.administer'),
  response: customer,
});
