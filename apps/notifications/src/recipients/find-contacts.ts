import { findContacts as findContactsOperation, MAX_CONTACTS } from '@millrace/contracts/auth/contacts';
import type { Result } from '@millrace/contracts/kit/operation';
import type { RpcClient } from '@millrace/messaging/rpc/rpc-client';

export type Contact = Result<typeof findContactsOperation>['contacts'][number];

/** An auth service that restarts is back within this time. */
const RESTART_TIMEOUT_MS = 5_000;

/** @returns the contacts by user id, without users who have left the vault */
export async function findContacts(
  rpc: RpcClient,
  vault: string,
  users: ReadonlySet<string>,
): Promise<Map<string, Contact>> {
  const remaining = [...users];
  const found = new Map<string, Contact>();
  while (remaining.length > 0) {
    const body = { vault, users: remaining.splice(0, MAX_CONTACTS) };
    const origin = { caller: null };
    const { contacts } = await rpc.call(findContactsOperation, body, origin, { retryForMs: RESTART_TIMEOUT_MS });
    for (const contact of contacts) found.set(contact.user, contact);
  }
  return found;
}
