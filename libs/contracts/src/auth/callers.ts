import { z } from 'zod';
import { onlyServices, SPACE_ROLES, VAULT_ROLES } from '../kit/access.js';
import { internalOperation } from '../kit/operation.js';

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

/** Public halves of the keys that sign session JWTs, as JWKs. */
export const listSigningKeys = internalOperation('auth.keys.list', {
  summary: 'Public signing keys',
  access: onlyServices('gateway'),
  readOnly: true,
  body: z.object({}),
  response: z.object({ keys: z.array(z.object({ kid: z.string(), publicKey: z.string().describe('PEM, SPKI') })) }),
});
