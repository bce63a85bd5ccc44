import { randomUUID } from 'node:crypto';
import { MillraceClient } from '@millrace/sdk/client';
import { invitations } from '@millrace/sdk/resources';
import { mailedToken } from './mailbox.js';
import type { Account } from './sign-up.js';

/** Somebody new in the vault of `owner`, invited by mail. */
export async function invite(owner: Account, role: 'member' | 'space_admin' | 'owner' = 'member'): Promise<Account> {
  const email = `guest-${randomUUID()}@example.org`;
  const password = `correct horse ${randomUUID()}`;
  await owner.client.call(invitations.createInvitation, { body: { email, role } });
  const token = await mailedToken(email, '/invitations/accept');
  const anonymous = new MillraceClient({ baseUrl: owner.url });
  const made = await anonymous.call(invitations.acceptInvitation, { body: { token, name: 'Guest', password } });
  const { access, refresh } = made;
  const client = new MillraceClient({ baseUrl: owner.url, token: access });
  return { url: owner.url, client, email, password, user: made.user.id, access, refresh, space: owner.space };
}
