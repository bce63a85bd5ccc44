import type { DispatchPayload, DispatchTask, InputValue } from '@millrace/contracts/runs/dispatch';
import { INLINE_FILES, type FileRef, type FileSet } from '@millrace/contracts/runs/files';
import type { Transaction } from '@millrace/persistence/database';
import type { SplitResult } from '../settle/settled-tasks.js';
import type { LockedRun } from '../transaction/locked-run.js';
import type { GatherStore } from './output-lists.js';

/** Tasks of one segment that go out together. */
export interface Handout {
  run: LockedRun;
  segment: number;
  tasks: { index: number }[];
}

/** A handout that is a dispatch now. */
export interface Claimed extends Handout {
  dispatch: bigint;
  tasks: { index: number; attempt: number }[];
}

/** Outputs by `<run> <step> <task>`. */
type Found = Map<string, FileRef[]>;

const keyOf = (run: bigint, step: number, task: number): string => `${run} ${step} ${task}`;

/** Puts together what workers need to run the tasks of each handout: inputs, earlier outputs, the items of their scope. */
export async function buildPayloads(
  tx: Transaction,
  gathers: GatherStore,
  handouts: Claimed[],
): Promise<DispatchPayload[]> {
  const recorded = await findRecorded(tx, handouts);
  const found = await findOutputs(tx, handouts, recorded);
  const items = await findItems(tx, handouts);
  const payloads: DispatchPayload[] = [];
  for (const handout of handouts) {
    const { run, segment, dispatch, tasks } = handout;
    payloads.push({
      dispatch: String(dispatch),
      run: String(run.id),
      vault: run.row.vaultId,
      plan: run.plan.sha256,
      segment,
      inputs: run.row.inputs as Record<string, InputValue>,
      shared: await shared(tx, gathers, handout, found),
      items: items.get(`${run.id} ${splitOf(handout)}`) ?? null,
      tasks: await Promise.all(tasks.map((task) => toTask(tx, gathers, handout, task, found, recorded))),
      ...(run.row.useCache !== null && { useCache: run.row.useCache }),
    });
  }
  return payloads;
}

interface Source {
  step: number;
  how: 'own' | 'shared' | 'gathered';
}

/** Steps outside of the segment that its steps take something from. */
function sourcesOf({ run, segment }: Handout): Source[] {
  const { scope, steps } = run.plan.segment(segment);
  const sources = new Map<number, Source>();
  for (const step of run.plan.steps(segment)) {
    for (const { binding } of step.inputs) {
      if (binding.from !== 'step' || steps.includes(binding.step)) continue;
      const source = run.plan.step(binding.step);
      const isOwn = source.scope !== null && source.scope === scope;
      sources.set(binding.step, { step: binding.step, how: binding.gather ? 'gathered' : isOwn ? 'own' : 'shared' });
    }
  }
  return [...sources.values()];
}

/** Steps of these tasks that an earlier attempt finished, by `<run> <segment> <task>`. */
async function findRecorded(tx: Transaction, handouts: Claimed[]): Promise<Map<string, number[]>> {
  const wanted = handouts.flatMap(({ run, segment, tasks }) =>
    tasks
      .filter(({ attempt }) => attempt > 1)
      .flatMap(({ index }) => run.plan.segment(segment).steps.map((step) => ({ run: run.id, segment, step, index }))),
  );
  const recorded = new Map<string, number[]>();
  if (wanted.length === 0) return recorded;
  const rows = await tx.$queryRaw<{ run: bigint; segment: number; step: number; task: number }[]>`
    SELECT w.run, w.segment, w.step, w.task
    FROM unnest(${wanted.map(({ run }) => String(run))}::bigint[], ${wanted.map(({ segment }) => segment)}::int[],
      ${wanted.map(({ step }) => step)}::int[], ${wanted.map(({ index }) => index)}::int[]) AS w(run, segment, step, task)
    JOIN runs.subjob s ON s.run_id = w.run AND s.step = w.step AND s.task = w.task AND s.status = 'SUCCEEDED'`;
  for (const { run, segment, step, task } of rows) {
    const key = keyOf(run, segment, task);
    recorded.set(key, [...(recorded.get(key) ?? []), step]);
  }
  return recorded;
}

/** Of a step that runs once no more than shows that it left many files: those are read by `GatherStore.list`. */
async function findOutputs(tx: Transaction, handouts: Claimed[], recorded: Map<string, number[]>): Promise<Found> {
  const wanted = handouts.flatMap((handout) => {
    const { run, segment, tasks } = handout;
    const sources = sourcesOf(handout);
    return [
      ...sources.filter(({ how }) => how === 'shared').map(({ step }) => ({ run: run.id, step, task: 0 })),
      ...tasks.flatMap(({ index }) => [
        ...sources.filter(({ how }) => how === 'own').map(({ step }) => ({ run: run.id, step, task: index })),
        ...(recorded.get(keyOf(run.id, segment, index)) ?? []).map((step) => ({ run: run.id, step, task: index })),
      ]),
    ];
  });
  const found: Found = new Map();
  if (wanted.length === 0) return found;
  const rows = await tx.$queryRaw<
    { run: bigint; step: number; task: number; path: string; sha256: string; size: bigint }[]
  >`
    SELECT o.run_id AS run, o.step, o.task, o.path, o.sha256, o.size
    FROM (SELECT DISTINCT * FROM unnest(${wanted.map(({ run }) => String(run))}::bigint[],
      ${wanted.map(({ step }) => step)}::int[], ${wanted.map(({ task }) => task)}::int[]) AS w(run, step, task)) w
    CROSS JOIN LATERAL (
      SELECT * FROM runs.output o WHERE o.run_id = w.run AND o.step = w.step AND o.task = w.task
      ORDER BY o.path COLLATE "C" LIMIT CASE WHEN w.task = 0 THEN ${INLINE_FILES + 1}::int END) o
    ORDER BY o.path COLLATE "C"`;
  for (const { run, step, task, path, sha256, size } of rows) {
    const key = keyOf(run, step, task);
    const files = found.get(key) ?? [];
    files.push({ path, sha256, size: Number(size) });
    found.set(key, files);
  }
  return found;
}

async function shared(
  tx: Transaction,
  gathers: GatherStore,
  handout: Claimed,
  found: Found,
): Promise<Record<string, FileSet>> {
  const sets: Record<string, FileSet> = {};
  for (const { step, how } of sourcesOf(handout)) {
    if (how === 'gathered') sets[step] = await gathers.gather(tx, handout.run.id, step);
    if (how === 'shared') {
      const files = found.get(keyOf(handout.run.id, step, 0)) ?? [];
      sets[step] = files.length > INLINE_FILES ? await gathers.list(tx, handout.run.id, step) : { files };
    }
  }
  return sets;
}

/** Segment of the split that the tasks of a handout take items of; null outside of scopes. */
function splitOf({ run, segment }: Handout): number | null {
  const { scope } = run.plan.segment(segment);
  return scope === null ? null : run.plan.splitSegmentOf(scope);
}

/** What splits found, by `<run> <segment>`. */
async function findItems(tx: Transaction, handouts: Claimed[]): Promise<Map<string, SplitResult | null>> {
  const splits = handouts.flatMap((handout) => {
    const split = splitOf(handout);
    return split === null ? [] : [{ run: String(handout.run.id), split }];
  });
  if (splits.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ run: bigint; segment: number; split: SplitResult | null }[]>`
    SELECT s.run_id AS run, s.segment, s.split
    FROM (SELECT DISTINCT * FROM unnest(${splits.map(({ run }) => run)}::bigint[],
      ${splits.map(({ split }) => split)}::int[]) AS w(run, segment)) w
    JOIN runs.segment s ON s.run_id = w.run AND s.segment = w.segment`;
  return new Map(rows.map(({ run, segment, split }) => [`${run} ${segment}`, split]));
}

async function toTask(
  tx: Transaction,
  gathers: GatherStore,
  handout: Claimed,
  { index, attempt }: { index: number; attempt: number },
  found: Found,
  recorded: Map<string, number[]>,
): Promise<DispatchTask> {
  const done = recorded.get(keyOf(handout.run.id, handout.segment, index)) ?? [];
  const own = sourcesOf(handout)
    .filter(({ how }) => how === 'own')
    .map(({ step }) => step);
  const files: Record<string, FileSet> = {};
  for (const step of [...own, ...done]) {
    const own = found.get(keyOf(handout.run.id, step, index)) ?? [];
    const isLong = index === 0 && own.length > INLINE_FILES;
    files[step] = isLong ? await gathers.list(tx, handout.run.id, step) : await gathers.wrap(own);
  }
  return { index, attempt, files, recorded: done };
}
