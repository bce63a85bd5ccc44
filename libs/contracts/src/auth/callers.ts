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
});

/** Who stands behind an API token (by its SHA-256, hex) or a session; null where it is unknown, ended or disabled. */
export const resolveCaller = internalOperation('auth.callers.resolve', {
  summary: 'Find the caller behind a credential',
  access: onlyServices('gateway'),
  readOnly: true,
  body: z.union([z.object({ tokenHash: z.string() }), z.object({ user: z.uuid(), session: z.uuid() })]),
  response: z.object({ caller: caller.nullable() }),
});

/** Who a user is in a vault right now, for what runs in their name while they are away; null where they are no longer in it, or disabled. */
export const resolveAbsentCaller = internalOperation('auth.callers.standIn', {
  summary: 'Find what a user may do now',
  access: onlyServices('workflows', 'runs'),
  readOnly: true,
  body: z.object({ user: z.uuid(), vault: z.uuid() }),
  response: z.object({ caller: caller.nullable() }),
});

/** How often `callersChanged` is told at least, in milliseconds. Who has not heard it for longer trusts nothing it kept. */
export const CALLERS_HEARTBEAT_INTERVAL_MS = 250;

/**
 * What is known of callers has changed: of these users, of everybody in these vaults, or of all. Told within
 * milliseconds of the change, and without content as a sign that nothing was missed.
 */
export const callersChanged = signal('auth.callers.changed', {
  from: ['auth'],
  to: ['gateway'],
  payload: z.object({ users: z.array(z.uuid()), vaults: z.array(z.uuid()), all: z.boolean() }),
});
