import { randomUUID } from 'node:crypto';
import { MillraceClient } from '@millrace/sdk/client';
import { invitations } from '@millrace/sdk/resources';
import { attentiveFetch } from './attentive-fetch.js';
import { readMail } from './read-mail.js';
import type { Account } from './sign-up.js';

/** Somebody new in the vault of `owner`, invited by mail. */
export async function invite(owner: Account, role: 'member' | 'space_admin' | 'owner' = 'member'): Promise<Account> {
  const email = `guest-${randomUUID()}@example.org`;
  const password = `correct horse ${randomUUID()}`;
  await owner.client.call(invitations.createInvitation, { body: { email, role } });
  const { link } = await readMail(email, /invite/i);
  const token = link?.searchParams.get('token') ?? '';
  const anonymous = new MillraceClient({ baseUrl: owner.url, fetch: attentiveFetch });
  const made = await anonymous.call(invitations.acceptInvitation, { body: { token, name: 'Guest', password } });
  const { access, refresh } = made;
  const client = new MillraceClient({ baseUrl: owner.url, token: access, fetch: attentiveFetch });
  return { url: owner.url, client, email, password, user: made.user.id, access, refresh, space: owner.space };
}
