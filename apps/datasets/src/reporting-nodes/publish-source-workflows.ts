import { workflowFeeding } from '@millrace/contracts/datasets/reporting-nodes';
import type { Transaction } from '@millrace/persistence/database';

interface SourceWorkflowState {
  workflow: string;
  feeds: boolean;
  seq: string;
}

/**
 * Publishes whether workflows have reporting nodes, after this transaction has changed some. Call it last in the transaction:
 * until the commit no other transaction gets a number for the same workflow, so of two events the one with the greater
 * number has seen the changes of the other.
 */
export async function publishSourceWorkflows(
  tx: Transaction,
  vault: string,
  workflows: readonly string[],
): Promise<void> {
  const ids = [...new Set(workflows)].sort();
  if (ids.length === 0) return;
  await tx.$executeRaw`
    SELECT pg_advisory_xact_lock(hashtextextended('datasets.feeding ' || id, 0)) FROM unnest(${ids}::text[]) AS w(id)`;
  const states = await tx.$queryRaw<SourceWorkflowState[]>`
    SELECT w.id::text AS workflow, nextval('datasets.feeding_seq')::text AS seq,
      EXISTS (SELECT FROM datasets.reporting_node n WHERE n.workflow_id = w.id) AS feeds
    FROM unnest(${ids}::uuid[]) AS w(id)`;
  for (const state of states) tx.emit(workflowFeeding, { vault, ...state });
}
