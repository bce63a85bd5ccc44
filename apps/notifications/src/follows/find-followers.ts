import type { Payload } from '@millrace/contracts/kit/event';
import type { runFinished } from '@millrace/contracts/runs/runs';
import type { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { Transaction } from '@millrace/persistence/database';
import { canRead } from '@millrace/persistence/tenancy';
import { findContacts, type Contact } from '../recipients/find-contacts.js';

type RunEnd = Payload<typeof runFinished>;

/** Somebody who follows the workflow of a run that another started. */
export interface Follower {
  run: RunEnd;
  user: string;
  /** Name of who started it; null where they have left. */
  author: string | null;
}

interface Row {
  workflow: string;
  vault: string;
  user: string;
}

/**
 * Who else is to be told of these runs. Whether they may still see them is asked now, and who may not follows no more.
 */
export async function findFollowers(tx: Transaction, rpc: RpcClient, runs: readonly RunEnd[]): Promise<Follower[]> {
  const rows = await findRows(tx, runs);
  const followers: Follower[] = [];
  const lost: Row[] = [];
  for (const vault of new Set(rows.map((row) => row.vault))) {
    const own = runs.filter((run) => run.vault === vault);
    const pairs = own.flatMap((run) => rows.filter((row) => isOthers(row, run)).map((row) => ({ row, run })));
    const people = new Set(pairs.flatMap(({ row, run }) => [row.user, run.author]));
    const contacts = await findContacts(rpc, vault, people);
    for (const { row, run } of pairs) {
      if (mayFollow(contacts.get(row.user), run)) {
        followers.push({ run, user: row.user, author: contacts.get(run.author)?.name ?? null });
      } else lost.push(row);
    }
  }
  await forget(tx, lost);
  return followers;
}

const isOthers = (row: Row, run: RunEnd): boolean =>
  row.workflow === run.workflow && row.vault === run.vault && row.user !== run.author;

const mayFollow = (contact: Contact | undefined, run: RunEnd): boolean =>
  contact !== undefined && canRead(contact, run.space);

function findRows(tx: Transaction, runs: readonly RunEnd[]): Promise<Row[]> {
  const workflows = [...new Set(runs.map(({ workflow }) => workflow))];
  return tx.$queryRaw<Row[]>`
    SELECT workflow_id::text AS workflow, vault_id::text AS vault, user_id::text AS "user"
    FROM notifications.follow WHERE workflow_id = ANY(${workflows}::uuid[])`;
}

/** In one order, for another copy of the service may be at the next batch. */
async function forget(tx: Transaction, lost: readonly Row[]): Promise<void> {
  if (lost.length === 0) return;
  await tx.$executeRaw`
    WITH lost AS MATERIALIZED (
      SELECT workflow_id, user_id FROM notifications.follow
      WHERE (workflow_id, user_id) IN (
        SELECT workflow, "user" FROM jsonb_to_recordset(${JSON.stringify(lost)}::jsonb) AS r(workflow uuid, "user" uuid))
      ORDER BY workflow_id, user_id FOR UPDATE)
    DELETE FROM notifications.follow f USING lost WHERE f.workflow_id = lost.workflow_id AND f.user_id = lost.user_id`;
}
