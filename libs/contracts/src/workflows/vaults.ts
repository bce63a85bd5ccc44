import { z } from 'zod';
import { onlyServices } from '../kit/access.js';
import { internalOperation } from '../kit/operation.js';

/** Called at sign-up, so that a new user has a space at once. `auth.vault.created` has the same effect later. */
export const prepareVault = internalOperation('workflows.vaults.prepare', {
  summary: 'Create the first space of a vault with a sample workflow (idempotent)',
  access: onlyServices('auth'),
  body: z.object({ vault: z.uuid(), owner: z.uuid(), name: z.string() }),
  response: z.object({}),
});
