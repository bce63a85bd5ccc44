import { randomUUID } from 'node:crypto';
import { findContacts as ask, MOST_CONTACTS } from '@millrace/contracts/auth/contacts';
import type { Result } from '@millrace/contracts/kit/operation';
import type { Asker } from '@millrace/messaging/asker';

export type Contact = Result<typeof ask>['contacts'][number];

/** An auth service that is being restarted is back by then. */
const RESTART_MS = 5_000;

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
    const origin = { caller: null, requestId: randomUUID() };
    const { contacts } = await asker.ask(ask, question, origin, { patienceMs: RESTART_MS });
    for (const contact of contacts) found.set(contact.user, contact);
  }
  return found;
}
