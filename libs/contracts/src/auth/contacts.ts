import { z } from 'zod';
import { onlyServices } from '../kit/access.js';
import { internalOperation } from '../kit/operation.js';
import { SPACE_ROLES } from '../kit/permissions.js';

/** Maximum number of users per request. */
export const MAX_CONTACTS = 1_000;

/** Called for every message, so that no other service stores addresses, and a user who left gets no more messages. */
export const findContacts = internalOperation('auth.contacts.find', {
  summary: 'Find addresses, names and roles of users; omits users who are disabled or not in the vault',
  access: onlyServices('notifications', 'runs'),
  readOnly: true,
  body: z.object({ vault: z.uuid(), users: z.array(z.uuid()).max(MAX_CONTACTS) }),
  response: z.object({
    contacts: z.array(
      z.object({
        user: z.uuid(),
        email: z.string(),
        name: z.string(),
        spaces: z.union([z.literal('all'), z.record(z.string(), z.enum(SPACE_ROLES))]).describe('Roles by space id'),
      }),
    ),
  }),
});
