import type { Transaction } from '@millrace/persistence/database';
import type { Claimed, Handout } from './build-payloads.js';

/**
 * Makes dispatches of handouts, and puts their tasks out with them. The runs are locked, but tasks may have been read
 * just before that: what another copy of the service has handed out meanwhile is left out.
 */
export async function claimTasks(tx: Transaction, handouts: Handout[]): Promise<Claimed[]> {
  if (handouts.length === 0) return [];
  const parts = handouts.map(({ run, segment }, n) => ({ n, run: String(run.id), segment }));
  const tasks = handouts.flatMap((handout, n) => handout.tasks.map(({ index }) => ({ n, index })));
  const taken = await tx.$queryRaw<{ n: number; dispatch: bigint; index: number; attempt: number }[]>`
    WITH part AS (SELECT nextval('runs.dispatch_id_seq') AS id, p.*
        FROM jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) AS p(n int, run bigint, segment int)),
      taken AS (UPDATE runs.task AS t SET state = 'QUEUED', dispatch = part.id, not_before = NULL
        FROM part JOIN unnest(${tasks.map(({ n }) => n)}::int[], ${tasks.map(({ index }) => index)}::int[]) AS w(n, index) USING (n)
        WHERE t.run_id = part.run AND t.segment = part.segment AND t.index = w.index AND t.state = 'READY'
        RETURNING part.n, part.id AS dispatch, t.index, t.attempt),
      made AS (INSERT INTO runs.dispatch (id, run_id, segment)
        SELECT id, run, segment FROM part WHERE id IN (SELECT dispatch FROM taken))
    SELECT n, dispatch, index, attempt FROM taken ORDER BY n, index`;
  const byPart = Map.groupBy(taken, ({ n }) => n);
  return handouts.flatMap(({ run, segment }, n) => {
    const own = byPart.get(n) ?? [];
    const [first] = own;
    if (!first) return [];
    return [{ run, segment, dispatch: first.dispatch, tasks: own.map(({ index, attempt }) => ({ index, attempt })) }];
  });
}
