import { z } from 'zod';
import { PLANS } from '../billing/plans.js';
import { anyUser, onlyServices } from '../kit/access.js';
import { event } from '../kit/event.js';
import { timestamp } from '../kit/fields.js';
import { internalOperation, operation } from '../kit/operation.js';
import { VAULT_ROLES } from '../kit/permissions.js';

export const vault = z
  .object({
    id: z.string(),
    name: z.string(),
    plan: z.string(),
    role: z.enum(VAULT_ROLES).describe("The caller's role"),
    created_date: timestamp,
  })
  .meta({ id: 'Vault' });

export const getVault = operation('auth.vaults.get', {
  method: 'GET',
  path: '/vault',
  summary: 'Get the vault of the caller',
  description: 'A user belongs to exactly one vault. `role` is your effective role in it, including roles from teams.',
  access: anyUser,
  response: vault,
});

/** For services that show a vault by its name to its members. */
export const describeVault = internalOperation('auth.vaults.describe', {
  summary: 'Get name, plan and enabled users of a vault',
  access: onlyServices('billing', 'runs', 'notifications'),
  readOnly: true,
  body: z.object({ vault: z.uuid() }),
  response: z.object({ name: z.string(), plan: z.string().optional(), users: z.array(z.uuid()) }),
});

/** A vault was created. Its consumers create its first space, its sample workflow and its billing account. */
export const vaultCreated = event('auth.vault.created', {
  version: 1,
  consumers: ['workflows', 'billing'],
  payload: z.object({
    vault: z.uuid(),
    owner: z.uuid(),
    name: z.string(),
    plan: z.enum(PLANS).optional().describe('The plan that it starts with'),
  }),
});
