import type { Transaction } from '@millrace/persistence/database';
import type { ClaimedDispatch, DispatchDraft } from './build-payloads.js';

/**
 * Makes dispatches of drafts, and claims their tasks for them. The runs are locked, but the tasks may have been read just
 * before the lock: tasks that another copy of the service has dispatched in between are left out.
 */
export async function claimTasks(tx: Transaction, drafts: DispatchDraft[]): Promise<ClaimedDispatch[]> {
  if (drafts.length === 0) return [];
  const parts = drafts.map(({ run, segment }, n) => ({ n, run: String(run.id), segment }));
  const tasks = drafts.flatMap((draft, n) => draft.tasks.map(({ index }) => ({ n, index })));
  const claimed = await tx.$queryRaw<{ n: number; dispatch: bigint; index: number; attempt: number }[]>`
    WITH part AS (SELECT nextval('runs.dispatch_id_seq') AS id, p.*
        FROM jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) AS p(n int, run bigint, segment int)),
      claimed AS (UPDATE runs.task AS t SET state = 'QUEUED', dispatch = part.id, not_before = NULL
        FROM part JOIN unnest(${tasks.map(({ n }) => n)}::int[], ${tasks.map(({ index }) => index)}::int[]) AS w(n, index) USING (n)
        WHERE t.run_id = part.run AND t.segment = part.segment AND t.index = w.index AND t.state = 'READY'
        RETURNING part.n, part.id AS dispatch, t.index, t.attempt),
      inserted AS (INSERT INTO runs.dispatch (id, run_id, segment)
        SELECT id, run, segment FROM part WHERE id IN (SELECT dispatch FROM claimed))
    SELECT n, dispatch, index, attempt FROM claimed ORDER BY n, index`;
  const byDraft = Map.groupBy(claimed, ({ n }) => n);
  return drafts.flatMap(({ run, segment }, n) => {
    const rows = byDraft.get(n) ?? [];
    const [first] = rows;
    if (!first) return [];
    return [{ run, segment, dispatch: first.dispatch, tasks: rows.map(({ index, attempt }) => ({ index, attempt })) }];
  });
}
