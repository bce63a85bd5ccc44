import { z } from 'zod';
import { onlyServices } from '../kit/access.js';
import { internalOperation } from '../kit/operation.js';

/** Asked at sign-up, so that the new user finds the space at once; `auth.vault.created` brings the same about later. */
export const prepareVault = internalOperation('workflows.vaults.prepare', {
  summary: 'Make the first space of a new vault, with a sample workflow; done once however often it is asked',
  access: onlyServices('auth'),
  body: z.object({ vault: z.uuid(), owner: z.uuid(), name: z.string() }),
  response: z.object({}),
});
