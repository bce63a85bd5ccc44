import type { DispatchPayload, DispatchTask, InputValue } from '@millrace/contracts/runs/dispatch';
import { INLINE_FILES, type FileRef, type FileSet } from '@millrace/contracts/runs/files';
import { readRequirement } from '@millrace/graph/plan/placement';
import type { Transaction } from '@millrace/persistence/database';
import type { SplitResult } from '../settle/expand-scope.js';
import type { LockedRun } from '../transaction/locked-run.js';
import type { OutputLists } from './output-lists.js';

/** Tasks of one segment that are dispatched together. */
export interface DispatchDraft {
  run: LockedRun;
  segment: number;
  tasks: { index: number }[];
}

/** A draft that has become a dispatch. */
export interface ClaimedDispatch extends DispatchDraft {
  dispatch: bigint;
  tasks: { index: number; attempt: number }[];
}

/** Outputs by `<run> <step> <task>`. */
type OutputsByTask = Map<string, FileRef[]>;

const keyOf = (run: bigint, step: number, task: number): string => `${run} ${step} ${task}`;

/** Collects what workers need to run the tasks of each dispatch: inputs, earlier outputs, the items of their scope. */
export async function buildPayloads(
  tx: Transaction,
  outputs: OutputLists,
  dispatches: ClaimedDispatch[],
): Promise<DispatchPayload[]> {
  const recorded = await findRecordedSteps(tx, dispatches);
  const found = await findOutputs(tx, dispatches, recorded);
  const items = await findItems(tx, dispatches);
  const payloads: DispatchPayload[] = [];
  for (const claimed of dispatches) {
    const { run, segment, dispatch, tasks } = claimed;
    payloads.push({
      dispatch: String(dispatch),
      run: String(run.id),
      ...(run.repairs > 0 && { repairs: run.repairs }),
      vault: run.row.vaultId,
      plan: run.plan.sha256,
      segment,
      inputs: run.row.inputs as Record<string, InputValue>,
      shared: await buildSharedSets(tx, outputs, claimed, found),
      ...(await listFailures(tx, outputs, claimed)),
      items: items.get(`${run.id} ${splitOf(claimed)}`) ?? null,
      tasks: await Promise.all(tasks.map((task) => buildTask(tx, outputs, claimed, task, found, recorded))),
      ...describeRequirement(run.plan.requirementOf(segment)),
      ...(run.row.useCache !== null && { useCache: run.row.useCache }),
      ...(run.row.parentRun !== null && { reuses: true }),
    });
  }
  return payloads;
}

function describeRequirement(key: string | null): Pick<DispatchPayload, 'requires'> {
  if (key === null) return {};
  const { fleet, labels, sizes } = readRequirement(key);
  return { requires: { fleet, labels, sizes: [...sizes] } };
}

/**
 * A step outside of the segment whose outputs the segment uses. `own`: of the same child; `shared`: of its only instance;
 * `gathered`: of all children. A step can be both the own and a gathered source.
 */
interface Source {
  step: number;
  kind: 'own' | 'shared' | 'gathered';
}

function sourcesOf({ run, segment }: DispatchDraft): Source[] {
  const { scope, steps } = run.plan.segment(segment);
  const sources = new Map<string, Source>();
  for (const step of run.plan.steps(segment)) {
    for (const { binding } of step.inputs) {
      if (binding.from !== 'step' || steps.includes(binding.step)) continue;
      const source = run.plan.step(binding.step);
      const isOwn = source.scope !== null && source.scope === scope;
      const kind = binding.gather ? 'gathered' : isOwn ? 'own' : 'shared';
      sources.set(`${binding.step} ${kind}`, { step: binding.step, kind });
    }
  }
  return [...sources.values()];
}

/** Finds the steps of these tasks that an earlier attempt finished, by `<run> <segment> <task>`. */
async function findRecordedSteps(tx: Transaction, dispatches: ClaimedDispatch[]): Promise<Map<string, number[]>> {
  const candidates = dispatches.flatMap(({ run, segment, tasks }) =>
    tasks
      .filter(({ attempt }) => attempt > 1)
      .flatMap(({ index }) => run.plan.segment(segment).steps.map((step) => ({ run: run.id, segment, step, index }))),
  );
  const recorded = new Map<string, number[]>();
  if (candidates.length === 0) return recorded;
  const rows = await tx.$queryRaw<{ run: bigint; segment: number; step: number; task: number }[]>`
    SELECT w.run, w.segment, w.step, w.task
    FROM unnest(${candidates.map(({ run }) => String(run))}::bigint[], ${candidates.map(({ segment }) => segment)}::int[],
      ${candidates.map(({ step }) => step)}::int[], ${candidates.map(({ index }) => index)}::int[]) AS w(run, segment, step, task)
    JOIN runs.subjob s ON s.run_id = w.run AND s.step = w.step AND s.task = w.task AND s.status = 'SUCCEEDED'`;
  for (const { run, segment, step, task } of rows) {
    const key = keyOf(run, segment, task);
    recorded.set(key, [...(recorded.get(key) ?? []), step]);
  }
  return recorded;
}

/** Reads at most one output more than fits inline for a step that runs once; `OutputLists.listStepOutputs` reads long lists. */
async function findOutputs(
  tx: Transaction,
  dispatches: ClaimedDispatch[],
  recorded: Map<string, number[]>,
): Promise<OutputsByTask> {
  const needed = dispatches.flatMap((claimed) => {
    const { run, segment, tasks } = claimed;
    const sources = sourcesOf(claimed);
    return [
      ...sources.filter(({ kind }) => kind === 'shared').map(({ step }) => ({ run: run.id, step, task: 0 })),
      ...tasks.flatMap(({ index }) => [
        ...sources.filter(({ kind }) => kind === 'own').map(({ step }) => ({ run: run.id, step, task: index })),
        ...(recorded.get(keyOf(run.id, segment, index)) ?? []).map((step) => ({ run: run.id, step, task: index })),
      ]),
    ];
  });
  const found: OutputsByTask = new Map();
  if (needed.length === 0) return found;
  const rows = await tx.$queryRaw<
    { run: bigint; step: number; task: number; path: string; sha256: string; size: bigint }[]
  >`
    SELECT o.run_id AS run, o.step, o.task, o.path, o.sha256, o.size
    FROM (SELECT DISTINCT * FROM unnest(${needed.map(({ run }) => String(run))}::bigint[],
      ${needed.map(({ step }) => step)}::int[], ${needed.map(({ task }) => task)}::int[]) AS w(run, step, task)) w
    CROSS JOIN LATERAL (
      SELECT * FROM runs.output o WHERE o.run_id = w.run AND o.step = w.step AND o.task = w.task AND NOT o.replaced
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

/** Outputs that all tasks of the dispatch use, by step. */
async function buildSharedSets(
  tx: Transaction,
  outputs: OutputLists,
  claimed: ClaimedDispatch,
  found: OutputsByTask,
): Promise<Record<string, FileSet>> {
  const { id } = claimed.run;
  const sets: Record<string, FileSet> = {};
  for (const { step, kind } of sourcesOf(claimed)) {
    if (kind === 'gathered') sets[step] = await outputs.listChildOutputs(tx, claimed.run, step);
    if (kind === 'shared') {
      const files = found.get(keyOf(id, step, 0)) ?? [];
      sets[step] = files.length > INLINE_FILES ? await outputs.listStepOutputs(tx, claimed.run, step) : { files };
    }
  }
  return sets;
}

/** The manifests of the sources in which something failed or has no result. */
async function listFailures(
  tx: Transaction,
  outputs: OutputLists,
  claimed: ClaimedDispatch,
): Promise<Pick<DispatchPayload, 'failures'>> {
  if (!claimed.run.mayMissResults) return {};
  const failures: Record<string, FileRef> = {};
  for (const { step, kind } of sourcesOf(claimed)) {
    const manifest = kind === 'own' ? null : await outputs.listFailures(tx, claimed.run, step);
    if (manifest) failures[step] = manifest;
  }
  return Object.keys(failures).length > 0 ? { failures } : {};
}

/** The segment of the split whose items the tasks use; null outside of scopes. */
function splitOf({ run, segment }: DispatchDraft): number | null {
  const { scope } = run.plan.segment(segment);
  return scope === null ? null : run.plan.splitSegmentOf(scope);
}

/** Finds the results of splits, by `<run> <segment>`. */
async function findItems(tx: Transaction, dispatches: ClaimedDispatch[]): Promise<Map<string, SplitResult | null>> {
  const splits = dispatches.flatMap((claimed) => {
    const split = splitOf(claimed);
    return split === null ? [] : [{ run: String(claimed.run.id), split }];
  });
  if (splits.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ run: bigint; segment: number; split: SplitResult | null }[]>`
    SELECT s.run_id AS run, s.segment, s.split
    FROM (SELECT DISTINCT * FROM unnest(${splits.map(({ run }) => run)}::bigint[],
      ${splits.map(({ split }) => split)}::int[]) AS w(run, segment)) w
    JOIN runs.segment s ON s.run_id = w.run AND s.segment = w.segment`;
  return new Map(rows.map(({ run, segment, split }) => [`${run} ${segment}`, split]));
}

async function buildTask(
  tx: Transaction,
  outputs: OutputLists,
  claimed: ClaimedDispatch,
  { index, attempt }: { index: number; attempt: number },
  found: OutputsByTask,
  recordedSteps: Map<string, number[]>,
): Promise<DispatchTask> {
  const { id } = claimed.run;
  const recorded = recordedSteps.get(keyOf(id, claimed.segment, index)) ?? [];
  const ownSources = sourcesOf(claimed).filter(({ kind }) => kind === 'own');
  const files: Record<string, FileSet> = {};
  for (const step of [...ownSources.map((source) => source.step), ...recorded]) {
    const list = found.get(keyOf(id, step, index)) ?? [];
    const isLong = index === 0 && list.length > INLINE_FILES;
    files[step] = isLong ? await outputs.listStepOutputs(tx, claimed.run, step) : await outputs.toFileSet(list);
  }
  return { index, attempt, files, recorded };
}
