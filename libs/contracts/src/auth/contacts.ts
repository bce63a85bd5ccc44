import { z } from 'zod';
import { onlyServices } from '../kit/access.js';
import { internalOperation } from '../kit/operation.js';
import { SPACE_ROLES } from '../kit/permissions.js';

/** How many users may be asked for at once. */
export const MAX_CONTACTS = 1_000;

/** Asked whenever somebody is written to, so that nobody else keeps addresses, and who left gets nothing more. */
export const findContacts = internalOperation('auth.contacts.find', {
  summary: 'Addresses, names and roles of users of a vault; those who are not in it, or disabled, are left out',
  access: onlyServices('notifications'),
  readOnly: true,
  body: z.object({ vault: z.uuid(), users: z.array(z.uuid()).max(MAX_CONTACTS) }),
  response: z.object({
    contacts: z.array(
      z.object({
        user: z.uuid(),
        email: z.string(),
        name: z.string(),
        spaces: z.union([z.literal('all'), z.record(z.string(), z.enum(SPACE_ROLES))]).describe('Roles by space'),
      }),
    ),
  }),
});
