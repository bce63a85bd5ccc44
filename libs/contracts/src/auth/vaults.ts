import { z } from 'zod';
import { anyUser } from '../kit/access.js';
import { VAULT_ROLES } from '../kit/permissions.js';
import { event } from '../kit/event.js';
import { timestamp } from '../kit/fields.js';
import { operation } from '../kit/operation.js';

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
  summary: 'The vault that the caller works in',
  access: anyUser,
  response: vault,
});

/** A vault exists; its first space and sample workflow are made by whoever owns those. */
export const vaultCreated = event('auth.vault.created', {
  version: 1,
  listeners: ['workflows', 'billing'],
  payload: z.object({ vault: z.uuid(), owner: z.uuid(), name: z.string() }),
});
