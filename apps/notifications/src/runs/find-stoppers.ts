import type { Payload } from '@millrace/contracts/kit/event';
import type { runFinished } from '@millrace/contracts/runs/runs';
import type { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { findContacts } from '../recipients/find-contacts.js';
import { isStoppedByOther } from './describe-run-end.js';

type RunEnd = Payload<typeof runFinished>;

/** @returns, by user id, the names of users who stopped runs of others and are still in the vault */
export async function findStopperNames(rpc: RpcClient, runs: readonly RunEnd[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const [vault, own] of Map.groupBy(runs.filter(isStoppedByOther), (run) => run.vault)) {
    const contacts = await findContacts(rpc, vault, new Set(own.map(({ stoppedBy }) => stoppedBy)));
    for (const { user, name } of contacts.values()) names.set(user, name);
  }
  return names;
}
