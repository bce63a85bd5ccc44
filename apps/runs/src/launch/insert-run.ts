import type { InputValue } from '@millrace/contracts/runs/dispatch';
import { runStarted } from '@millrace/contracts/runs/runs';
import type { CreationType, RunStatus } from '@millrace/contracts/runs/statuses';
import type { ParamValues } from '@millrace/graph/params/set-params';
import type { Part } from '@millrace/graph/plan/select-part';
import { currentRequestId } from '@millrace/messaging/tracing/log-fields';
import type { Transaction } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';
import { currentTraceparent } from '@millrace/telemetry/tracing/spans';
import { keepContents } from '../contents/keep-contents.js';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import { RUN_COLUMNS } from '../engine/rows/table-columns.js';
import type { TaskState } from '../engine/states/task-transitions.js';
import { enqueueFetch, findInputsToFetch } from '../inputs/input-fetch.js';
import type { ShownInputs } from '../inputs/to-inputs.js';

export interface ParentRun {
  run: bigint;
  /** Nodes whose results are not taken over. */
  except: readonly string[];
}

export interface NewRun {
  plan: PlanIndex;
  vaultId: string;
  author: string;
  name: string;
  creationType: CreationType;
  /** SUBMITTED if a worker is connected, otherwise PENDING. A run whose inputs have to be fetched is PENDING anyway. */
  status: Extract<RunStatus, 'PENDING' | 'SUBMITTED'>;
  workflow: {
    id: string;
    name: string;
    space: string;
    spaceName: string;
    project: string | null;
    projectName: string | null;
  };
  version: string;
  inputs: Record<string, InputValue>;
  /** Contents that it needs besides its plan and what `inputs` name. */
  contents?: readonly string[];
  /** The inputs as users see them. */
  shownInputs?: ShownInputs;
  parallelism: number;
  /** Whether all nodes use the cache, or none do; absent if each node decides. */
  useCache?: boolean | undefined;
  /** Absent: 0. */
  priority?: number | undefined;
  timeoutSeconds: number | null;
  /** The run whose results it may take over, except those of these nodes. */
  parent?: ParentRun | undefined;
  /** What the run executes of the workflow; absent for all. */
  part?: Part | undefined;
  /** Parameters that differ from the version; absent if there are none. */
  parameters?: ParamValues | undefined;
  /** The tick or hook call that started the run; null if a user did. */
  origin: string | null;
  schedule: string | null;
}

/** The columns of a new run that have no default in the database. */
type InsertedRun = Omit<Run, 'id' | 'createdAt'>;

const FIELDS = RUN_COLUMNS.except('id', 'createdAt');
const names = RUN_COLUMNS.names(FIELDS);

/**
 * Inserts a run with everything that is known at its start: segments, tasks that run once, subjobs of the nodes. Enqueues
 * the fetch of inputs that are URLs.
 */
export async function insertRun(tx: Transaction, newRun: NewRun): Promise<Run> {
  const { plan } = newRun;
  const fetches = findInputsToFetch(plan, newRun.inputs);
  const fetching = fetches.length > 0 && plan.plan.segments.length > 0;
  const subjobs = plan.plan.steps
    .filter(({ index }) => !plan.isHidden(index))
    .map(({ index, node, label }) => ({ step: index, node, label }));
  const row = toRow(newRun, fetching, subjobs.length);
  const requirements = plan.listRequirements();
  const [inserted] = await tx.$queryRaw<Pick<Run, 'id' | 'createdAt'>[]>`
    WITH r AS (
      INSERT INTO runs.run (${names}) SELECT ${names} FROM ${RUN_COLUMNS.recordset(FIELDS, [row])}
      RETURNING id, created_at),
    s AS (SELECT * FROM jsonb_to_recordset(${JSON.stringify(firstTasks(plan, fetching))}::jsonb)
      AS s(segment int, total int, state text)),
    segments AS (INSERT INTO runs.segment (run_id, segment, total) SELECT r.id, segment, total FROM r, s),
    requirements AS (INSERT INTO runs.requirement (run_id, segment, key)
      SELECT r.id, segment, key FROM r, jsonb_to_recordset(${JSON.stringify(requirements)}::jsonb) AS q(segment int, key text)),
    tasks AS (INSERT INTO runs.task (run_id, segment, index, state)
      SELECT r.id, segment, 0, state FROM r, s WHERE state IS NOT NULL),
    subjobs AS (INSERT INTO runs.subjob (run_id, step, task, node, label, status)
      SELECT r.id, step, 0, node, label, 'PENDING'
      FROM r, jsonb_to_recordset(${JSON.stringify(subjobs)}::jsonb) AS n(step int, node text, label text) ORDER BY step)
    SELECT id, created_at AS "createdAt" FROM r`;
  if (!inserted) throw new Error('Inserting the run returned no row');
  const run = { ...row, ...inserted };
  for (const statement of keepContents(run.id, newRun.contents ?? [])) await tx.$queryRaw(statement);
  if (newRun.parent) await addReusableResults(tx, run.id, newRun.parent);
  publishStart(tx, run);
  if (fetching) enqueueFetch(tx, run, fetches);
  return run;
}

/** Results of the parent run by their keys. If several subjobs have the same key, so are their results. */
async function addReusableResults(tx: Transaction, run: bigint, { run: parent, except }: ParentRun): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO runs.reusable_result (run_id, key, subjob_id)
    SELECT ${run}, s.cache_key, min(s.id) FROM runs.subjob s
    WHERE s.run_id = ${parent} AND s.status = 'SUCCEEDED' AND s.cache_key IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM unnest(${[...except]}::text[]) AS n(name)
        WHERE s.node = n.name OR starts_with(s.node, n.name || '/'))
    GROUP BY s.cache_key`;
}

/** The segments, with the state of their task. The tasks of a scope are inserted when it is split. */
function firstTasks(
  plan: PlanIndex,
  fetching: boolean,
): { segment: number; total: number | null; state: TaskState | null }[] {
  return plan.plan.segments.map(({ index, scope, needs }) => {
    if (scope !== null) return { segment: index, total: null, state: null };
    return { segment: index, total: 1, state: needs.length === 0 && !fetching ? plan.readyState(index) : 'WAITING' };
  });
}

const toRow = (newRun: NewRun, fetching: boolean, pending: number): InsertedRun => ({
  vaultId: newRun.vaultId,
  name: newRun.name,
  status: fetching ? 'PENDING' : newRun.status,
  partial: false,
  hasFailures: false,
  creationType: newRun.creationType,
  workflowId: newRun.workflow.id,
  workflowName: newRun.workflow.name,
  versionId: newRun.version,
  spaceId: newRun.workflow.space,
  spaceName: newRun.workflow.spaceName,
  projectId: newRun.workflow.project,
  projectName: newRun.workflow.projectName,
  author: newRun.author,
  parentRun: newRun.parent?.run ?? null,
  part: newRun.part ? { from: [...(newRun.part.from ?? [])], until: [...(newRun.part.until ?? [])] } : null,
  origin: newRun.origin,
  scheduleId: newRun.schedule,
  plan: newRun.plan.sha256,
  parameters: newRun.parameters ?? null,
  inputs: newRun.inputs,
  shownInputs: newRun.shownInputs ?? null,
  fetching,
  refetches: 0,
  parallelism: newRun.parallelism,
  priority: newRun.priority ?? 0,
  pinned: false,
  pausedAt: null,
  pausedBy: null,
  lastDispatch: 0n,
  stalledAt: null,
  traceparent: currentTraceparent() ?? null,
  requestId: currentRequestId() ?? null,
  revision: 0,
  repairs: 0,
  useCache: newRun.useCache ?? null,
  error: null,
  stoppedBy: null,
  stopSegment: null,
  stopIndex: null,
  deadline: newRun.timeoutSeconds === null ? null : new Date(Date.now() + newRun.timeoutSeconds * 1000),
  timeoutSeconds: newRun.timeoutSeconds,
  changeSeq: 0,
  openSegments: newRun.plan.plan.segments.length,
  pending,
  running: 0,
  succeeded: 0,
  failed: 0,
  stopping: 0,
  stopped: 0,
  skipped: 0,
  executionUnits: 0n,
  storedBytes: 0n,
  startedAt: null,
  finishedAt: null,
  deletedAt: null,
});

function publishStart(tx: Transaction, run: Run): void {
  tx.emit(runStarted, {
    run: String(run.id),
    vault: run.vaultId,
    workflow: run.workflowId,
    version: run.versionId,
    space: run.spaceId,
    project: run.projectId,
    startedAt: run.createdAt.toISOString(),
  });
}
