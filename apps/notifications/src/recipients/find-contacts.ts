import { randomUUID } from 'node:crypto';
import { findContacts as ask, MAX_CONTACTS } from '@millrace/contracts/auth/contacts';
import type { Result } from '@millrace/contracts/kit/operation';
import type { RpcClient } from '@millrace/messaging/rpc/rpc-client';

export type Contact = Result<typeof ask>['contacts'][number];

/** An auth service that is being restarted is back by then. */
const RESTART_MS = 5_000;

/** By id, those of the users who are in the vault now. */
export async function findContacts(
  rpc: RpcClient,
  vault: string,
  users: ReadonlySet<string>,
): Promise<Map<string, Contact>> {
  const left = [...users];
  const found = new Map<string, Contact>();
  while (left.length > 0) {
    const question = { vault, users: left.splice(0, MAX_CONTACTS) };
    const origin = { caller: null, requestId: randomUUID() };
    const { contacts } = await rpc.call(ask, question, origin, { patienceMs: RESTART_MS });
    for (const contact of contacts) found.set(contact.user, contact);
  }
  return found;
}
