import { randomUUID } from 'node:crypto';
import { MillraceClient } from '@millrace/client';
import { invitations } from '@millrace/contracts/resources';
import { checkedFetch } from './checked-fetch.js';
import { readMail } from './read-mail.js';
import type { Account } from './sign-up.js';

/** Invites a new user into the owner's vault, and accepts the invitation from the mail. */
export async function invite(owner: Account, role: 'member' | 'space_admin' | 'owner' = 'member'): Promise<Account> {
  const email = `guest-${randomUUID()}@example.org`;
  const password = `correct horse ${randomUUID()}`;
  await owner.client.call(invitations.createInvitation, { body: { email, role } });
  const { link } = await readMail(email, /invite/i);
  const token = link?.searchParams.get('token') ?? '';
  const anonymous = new MillraceClient({ baseUrl: owner.url, fetch: checkedFetch });
  const accepted = await anonymous.call(invitations.acceptInvitation, { body: { token, name: 'Guest', password } });
  const { access, refresh } = accepted;
  const client = new MillraceClient({ baseUrl: owner.url, token: access, fetch: checkedFetch });
  return { url: owner.url, client, email, password, user: accepted.user.id, access, refresh, space: owner.space };
}
