import { randomUUID } from 'node:crypto';
import { findContacts as ask, MOST_CONTACTS } from '@millrace/contracts/auth/contacts';
import type { Result } from '@millrace/contracts/kit/operation';
import type { Asker } from '@millrace/messaging/asker';

export type Contact = Result<typeof ask>['contacts'][number];

/** By id, those of the users who are in the vault now. */
export async function findContacts(
  asker: Asker,
  vault: string,
  users: ReadonlySet<string>,
): Promise<Map<string, Contact>> {
  const left = [...users];
  const found = new Map<string, Contact>();
  while (left.length > 0) {
    const question = { vault, users: left.splice(0, MOST_CONTACTS) };
    const { contacts } = await asker.ask(ask, question, { caller: null, requestId: randomUUID() });
    for (const contact of contacts) found.set(contact.user, contact);
  }
  return found;
}
