import { runDispatch } from '@millrace/contracts/runs/engine';
import type { Database, Transaction } from '@millrace/persistence/database';
import { buildPayloads, type Handout } from './build-payloads.js';
import type { GatherStore } from './gather-store.js';
import { lockRuns } from './locked-run.js';
import type { PlanStore } from './plan-store.js';
import type { Pace } from './pace.js';
import { writeRuns, type Told } from './write-runs.js';

interface Candidate {
  id: bigint;
  parallelism: number;
  out: number;
}

interface ReadyTask {
  run_id: bigint;
  segment: number;
  index: number;
  attempt: number;
}

export interface ReleaseContext {
  plans: PlanStore;
  gathers: GatherStore;
  pace: Pace;
  /** Dispatches that the fleet takes at once. */
  slots: number;
}

export interface Release {
  told: Told[];
  /** There may be more to hand out at once. */
  more: boolean;
}

/** Runs looked at in one go. */
const MOST_RUNS = 100;

/**
 * Hands out ready tasks. Only as many dispatches are out as the fleet can take now, plus one a slot where tasks are
 * short; the rest waits in Postgres. Slots go round the runs, those with the least out first, so a small run does not
 * wait behind a large one.
 */
export async function releaseTasks(database: Database, context: ReleaseContext): Promise<Release> {
  const { slots } = context;
  const { out, candidates } = await findRuns(database);
  const shares = share(candidates, 2 * slots - out, slots);
  if (shares.size === 0) return { told: [], more: false };
  const told = await database.transaction((tx) => handOut(tx, context, shares));
  return { told, more: candidates.length === MOST_RUNS };
}

async function handOut(tx: Transaction, context: ReleaseContext, shares: Map<bigint, number>): Promise<Told[]> {
  const { plans, gathers, pace } = context;
  const ready = await takeReady(tx, shares, pace.most);
  const runs = await lockRuns(tx, plans, [...new Set(ready.map((task) => task.run_id))]);
  const handouts: Handout[] = [];
  for (const [id, tasks] of Map.groupBy(ready, (task) => task.run_id)) {
    const run = runs.get(id);
    if (!run || run.isEnding) continue;
    handouts.push(
      ...cut(tasks, shares.get(id) ?? 1, (segment) => pace.batch(run.plan.sha256, segment)).map((part) => ({
        run,
        ...part,
      })),
    );
    if (run.status === 'PENDING') run.setStatus('SUBMITTED');
  }
  const claimed = await claim(tx, handouts);
  for (const payload of await buildPayloads(tx, gathers, claimed)) {
    tx.enqueue(runDispatch, payload, { id: `dispatch-${payload.dispatch}` });
  }
  return writeRuns(tx, runs.values());
}

/** Runs that have something ready, those with the least out first; and how much is out in all. */
async function findRuns({ client }: Database): Promise<{ out: number; candidates: Candidate[] }> {
  const rows = await client.$queryRaw<(Candidate & { all: number })[]>`
    SELECT r.id, r.parallelism, (SELECT count(*)::int FROM runs.dispatch d WHERE d.run_id = r.id) AS out,
      (SELECT count(*)::int FROM runs.dispatch) AS all
    FROM runs.run r
    WHERE r.finished_at IS NULL AND r.status <> 'STOPPING' AND EXISTS (
      SELECT 1 FROM runs.task t WHERE t.run_id = r.id AND t.state = 'READY' AND (t.not_before IS NULL OR t.not_before <= now()))
    ORDER BY out, r.id LIMIT ${MOST_RUNS}`;
  return { out: rows[0]?.all ?? 0, candidates: rows };
}

/** Dispatches that each run may put out: one each in turn, until the free ones are gone. */
export function share(runs: Candidate[], free: number, slots: number): Map<bigint, number> {
  const shares = new Map<bigint, number>();
  let left = free;
  for (let round = 1; left > 0 && round <= free; round++) {
    const before = left;
    for (const { id, parallelism, out } of runs) {
      // A run that may fill the whole fleet is bounded by the fleet alone, so that its slots need not wait for word.
      const most = parallelism >= slots ? 2 * slots : parallelism;
      if (left === 0 || out + (shares.get(id) ?? 0) >= most) continue;
      shares.set(id, (shares.get(id) ?? 0) + 1);
      left--;
    }
    if (left === before) break;
  }
  return shares;
}

/** Later segments first, so that what was begun is brought to its end. */
async function takeReady(tx: Transaction, shares: Map<bigint, number>, batch: number): Promise<ReadyTask[]> {
  if (shares.size === 0) return [];
  return tx.$queryRaw<ReadyTask[]>`
    SELECT t.run_id, t.segment, t.index, t.attempt
    FROM unnest(${[...shares.keys()].map(String)}::bigint[], ${[...shares.values()].map((n) => n * batch)}::int[]) AS w(run, most)
    CROSS JOIN LATERAL (
      SELECT run_id, segment, index, attempt FROM runs.task
      WHERE run_id = w.run AND state = 'READY' AND (not_before IS NULL OR not_before <= now())
      ORDER BY segment DESC, index LIMIT w.most) t`;
}

/** Cuts ready tasks into at most `share` dispatches of one segment each, as even as their number allows. */
export function cut(
  tasks: ReadyTask[],
  share: number,
  batchOf: (segment: number) => number,
): { segment: number; tasks: ReadyTask[] }[] {
  const parts: { segment: number; tasks: ReadyTask[] }[] = [];
  for (const [segment, own] of Map.groupBy(tasks, (task) => task.segment)) {
    const size = Math.max(1, Math.min(batchOf(segment), Math.ceil(own.length / share)));
    for (let from = 0; from < own.length && parts.length < share; from += size) {
      parts.push({ segment, tasks: own.slice(from, from + size) });
    }
  }
  return parts;
}

async function claim(tx: Transaction, handouts: Handout[]): Promise<(Handout & { dispatch: bigint })[]> {
  if (handouts.length === 0) return [];
  const ids = await tx.$queryRaw<{ id: bigint }[]>`
    INSERT INTO runs.dispatch (run_id, segment)
    SELECT run, segment FROM unnest(${handouts.map(({ run }) => String(run.id))}::bigint[],
      ${handouts.map(({ segment }) => segment)}::int[]) WITH ORDINALITY AS h(run, segment, n) ORDER BY n
    RETURNING id`;
  const claimed = handouts.map((handout, n) => ({ ...handout, dispatch: ids[n]?.id ?? 0n }));
  const rows = claimed.flatMap(({ run, segment, tasks, dispatch }) =>
    tasks.map(({ index }) => ({ run, segment, index, dispatch })),
  );
  const taken = await tx.$queryRaw<{ dispatch: bigint; index: number }[]>`
    UPDATE runs.task AS t SET state = 'QUEUED', dispatch = c.dispatch, not_before = NULL
    FROM unnest(${rows.map(({ run }) => String(run.id))}::bigint[], ${rows.map(({ segment }) => segment)}::int[],
      ${rows.map(({ index }) => index)}::int[], ${rows.map(({ dispatch }) => String(dispatch))}::bigint[])
      AS c(run, segment, index, dispatch)
    WHERE t.run_id = c.run AND t.segment = c.segment AND t.index = c.index AND t.state = 'READY'
    RETURNING t.dispatch, t.index`;
  const won = new Set(taken.map(({ dispatch, index }) => `${dispatch} ${index}`));
  // Another copy of the service may have been first with some of them.
  const kept = claimed.map((handout) => ({
    ...handout,
    tasks: handout.tasks.filter(({ index }) => won.has(`${handout.dispatch} ${index}`)),
  }));
  const empty = kept.filter(({ tasks }) => tasks.length === 0).map(({ dispatch }) => dispatch);
  if (empty.length > 0) await tx.dispatch.deleteMany({ where: { id: { in: empty } } });
  return kept.filter(({ tasks }) => tasks.length > 0);
}
