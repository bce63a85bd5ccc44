import { z } from 'zod';
import { onlyServices } from '../kit/access.js';
import { internalOperation } from '../kit/operation.js';
import { SPACE_ROLES, VAULT_ROLES } from '../kit/permissions.js';
import { signal } from '../kit/signal.js';

const caller = z.object({
  user: z.uuid(),
  vault: z.uuid(),
  vaultRole: z.enum(VAULT_ROLES),
  spaces: z.union([z.literal('all'), z.record(z.string(), z.enum(SPACE_ROLES))]),
  instance: z.object({ via: z.enum(['session', 'token']), scope: z.enum(['read', 'write']) }).optional(),
});

/**
 * Resolves an API token (by its SHA-256, in hex) or a session to its user; null if it is unknown, has ended, or its
 * user is disabled.
 */
export const resolveCaller = internalOperation('auth.callers.resolve', {
  summary: 'Find the caller behind a credential',
  access: onlyServices('gateway'),
  readOnly: true,
  body: z.union([z.object({ tokenHash: z.string() }), z.object({ user: z.uuid(), session: z.uuid() })]),
  response: z.object({ caller: caller.nullable() }),
});

/**
 * Resolves what a user may do now, for work that runs in their name while they are absent; null if the user is disabled
 * or no longer in the vault.
 */
export const resolveAbsentCaller = internalOperation('auth.callers.standIn', {
  summary: 'Find what an absent user may do now',
  access: onlyServices('workflows', 'runs'),
  readOnly: true,
  body: z.object({ user: z.uuid(), vault: z.uuid() }),
  response: z.object({ caller: caller.nullable() }),
});

/**
 * Maximum interval between two `callersChanged` signals. A receiver that gets none for longer must not trust its cache.
 */
export const CALLERS_HEARTBEAT_INTERVAL_MS = 400;

/**
 * Cached callers are out of date: those of the named users, those of the named vaults, or all. Sent within milliseconds
 * of a change, and without content as a heartbeat.
 */
export const callersChanged = signal('auth.callers.changed', {
  from: ['auth'],
  to: ['gateway'],
  payload: z.object({ users: z.array(z.uuid()), vaults: z.array(z.uuid()), all: z.boolean() }),
});
