import type { Payload } from '@millrace/contracts/kit/event';
import type { runFinished } from '@millrace/contracts/runs/runs';
import type { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { Transaction } from '@millrace/persistence/database';
import { canRead } from '@millrace/persistence/tenancy';
import { findContacts, type Contact } from '../recipients/find-contacts.js';

type RunEnd = Payload<typeof runFinished>;

/** A user who follows the workflow of a run that another user started. */
export interface Follower {
  run: RunEnd;
  user: string;
  /** Name of the run's author; null if they have left the vault. */
  author: string | null;
}

interface Row {
  workflow: string;
  vault: string;
  user: string;
}

/**
 * Finds the followers to notify of these runs. Checks their current roles, and deletes the follows of users who lost access.
 */
export async function findFollowers(tx: Transaction, rpc: RpcClient, runs: readonly RunEnd[]): Promise<Follower[]> {
  const rows = await findRows(tx, runs);
  const followers: Follower[] = [];
  const revoked: Row[] = [];
  for (const vault of new Set(rows.map((row) => row.vault))) {
    const vaultRuns = runs.filter((run) => run.vault === vault);
    const pairs = vaultRuns.flatMap((run) =>
      rows.filter((row) => isRunOfAnother(row, run)).map((row) => ({ row, run })),
    );
    const people = new Set(pairs.flatMap(({ row, run }) => [row.user, run.author]));
    const contacts = await findContacts(rpc, vault, people);
    for (const { row, run } of pairs) {
      if (mayFollow(contacts.get(row.user), run)) {
        followers.push({ run, user: row.user, author: contacts.get(run.author)?.name ?? null });
      } else revoked.push(row);
    }
  }
  await deleteFollows(tx, revoked);
  return followers;
}

const isRunOfAnother = (row: Row, run: RunEnd): boolean =>
  row.workflow === run.workflow && row.vault === run.vault && row.user !== run.author;

const mayFollow = (contact: Contact | undefined, run: RunEnd): boolean =>
  contact !== undefined && canRead(contact, run.space);

function findRows(tx: Transaction, runs: readonly RunEnd[]): Promise<Row[]> {
  const workflows = [...new Set(runs.map(({ workflow }) => workflow))];
  return tx.$queryRaw<Row[]>`
    SELECT workflow_id::text AS workflow, vault_id::text AS vault, user_id::text AS "user"
    FROM notifications.follow WHERE workflow_id = ANY(${workflows}::uuid[])`;
}

/** In a fixed order, because another copy of the service may process the next batch at the same time. */
async function deleteFollows(tx: Transaction, revoked: readonly Row[]): Promise<void> {
  if (revoked.length === 0) return;
  await tx.$executeRaw`
    WITH revoked AS MATERIALIZED (
      SELECT workflow_id, user_id FROM notifications.follow
      WHERE (workflow_id, user_id) IN (
        SELECT workflow, "user" FROM jsonb_to_recordset(${JSON.stringify(revoked)}::jsonb) AS r(workflow uuid, "user" uuid))
      ORDER BY workflow_id, user_id FOR UPDATE)
    DELETE FROM notifications.follow f USING revoked WHERE f.workflow_id = revoked.workflow_id AND f.user_id = revoked.user_id`;
}
