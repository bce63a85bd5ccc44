import { workflowFeeding } from '@millrace/contracts/datasets/reporting-nodes';
import type { Transaction } from '@millrace/persistence/database';

interface Feeding {
  workflow: string;
  feeds: boolean;
  seq: string;
}

/**
 * Tells whether tables are fed by workflows whose reporting nodes this transaction has changed; the last thing it does.
 * From here to its commit no other transaction takes a number for the same workflow, so of two that are told of it, the
 * one with the greater number saw what the other did.
 */
export async function publishWorkflowFeeding(
  tx: Transaction,
  vault: string,
  workflows: readonly string[],
): Promise<void> {
  const ids = [...new Set(workflows)].sort();
  if (ids.length === 0) return;
  await tx.$executeRaw`
    SELECT pg_advisory_xact_lock(hashtextextended('datasets.feeding ' || id, 0)) FROM unnest(${ids}::text[]) AS w(id)`;
  const told = await tx.$queryRaw<Feeding[]>`
    SELECT w.id::text AS workflow, nextval('datasets.feeding_seq')::text AS seq,
      EXISTS (SELECT FROM datasets.reporting_node n WHERE n.workflow_id = w.id) AS feeds
    FROM unnest(${ids}::uuid[]) AS w(id)`;
  for (const one of told) tx.emit(workflowFeeding, { vault, ...one });
}
