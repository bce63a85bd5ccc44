import type { InputValue } from '@millrace/contracts/runs/dispatch';
import { runStarted } from '@millrace/contracts/runs/runs';
import type { CreationType, RunStatus } from '@millrace/contracts/runs/statuses';
import type { Transaction } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import { LockedRun } from '../engine/transaction/locked-run.js';
import { writeRuns } from '../engine/transaction/write-runs.js';
import { inputsToFetch, orderFetch } from '../inputs/input-fetch.js';
import type { ShownInputs } from '../inputs/shown-inputs.js';

export interface NewRun {
  plan: PlanIndex;
  vaultId: string;
  author: string;
  name: string;
  creationType: CreationType;
  /** SUBMITTED where workers are there to take it, else PENDING, as is a run whose inputs are still to be fetched. */
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
  /** What people see of them. */
  shownInputs?: ShownInputs;
  parallelism: number;
  /** Whether all nodes use the cache, or none do; absent if each node decides. */
  useCache?: boolean | undefined;
  deadline: Date | null;
  /** What started it by itself; null where somebody asked for it. */
  origin: string | null;
  schedule: string | null;
}

/** A new run, and whether nothing of it is ready before its inputs are there. */
type Beginning = NewRun & { fetching: boolean };

/**
 * Writes a run with all that is known of it at the start: segments, tasks that run once, subjobs of the nodes. Has inputs
 * fetched that it was given by URL.
 */
export async function createRun(tx: Transaction, given: NewRun): Promise<Run> {
  const { plan, workflow } = given;
  const fetches = inputsToFetch(plan, given.inputs);
  const fetching = fetches.length > 0 && plan.plan.segments.length > 0;
  const wanted: Beginning = { ...given, fetching, status: fetching ? 'PENDING' : given.status };
  const nodes = plan.plan.steps
    .filter(({ index }) => !plan.isHidden(index))
    .map(({ index, node, label }) => ({ step: index, node, label }));
  const segments = plan.plan.segments.map(({ index, scope, needs }) => ({
    segment: index,
    total: scope === null ? 1 : null,
    state: scope !== null ? null : needs.length === 0 && !wanted.fetching ? 'READY' : 'WAITING',
  }));
  const [made] = await tx.$queryRaw<{ id: bigint; created_at: Date }[]>`
    WITH r AS (
      INSERT INTO runs.run (vault_id, name, status, creation_type, workflow_id, workflow_name, version_id, space_id,
        space_name, project_id, project_name, author, plan, inputs, parallelism, deadline, open_segments, pending,
        origin, schedule_id, fetching, shown_inputs, use_cache)
      VALUES (${wanted.vaultId}::uuid, ${wanted.name}, ${wanted.status}, ${wanted.creationType}, ${workflow.id}::uuid,
        ${workflow.name}, ${wanted.version}::uuid, ${workflow.space}::uuid, ${workflow.spaceName},
        ${workflow.project}::uuid, ${workflow.projectName}, ${wanted.author}::uuid, ${plan.sha256},
        ${JSON.stringify(wanted.inputs)}::jsonb, ${wanted.parallelism}, ${wanted.deadline}, ${segments.length}, ${nodes.length},
        ${wanted.origin}, ${wanted.schedule}::uuid, ${wanted.fetching},
        ${wanted.shownInputs ? JSON.stringify(wanted.shownInputs) : null}::jsonb, ${wanted.useCache ?? null})
      RETURNING id, created_at),
    s AS (SELECT * FROM jsonb_to_recordset(${JSON.stringify(segments)}::jsonb) AS s(segment int, total int, state text)),
    segments AS (INSERT INTO runs.segment (run_id, segment, total) SELECT r.id, segment, total FROM r, s),
    tasks AS (INSERT INTO runs.task (run_id, segment, index, state)
      SELECT r.id, segment, 0, state FROM r, s WHERE state IS NOT NULL),
    subjobs AS (INSERT INTO runs.subjob (run_id, step, task, node, label, status)
      SELECT r.id, step, 0, node, label, 'PENDING'
      FROM r, jsonb_to_recordset(${JSON.stringify(nodes)}::jsonb) AS n(step int, node text, label text) ORDER BY step)
    SELECT id, created_at FROM r`;
  if (!made) throw new Error('The run was not made');
  const startedAt = made.created_at.toISOString();
  tx.emit(runStarted, {
    run: String(made.id),
    vault: wanted.vaultId,
    workflow: workflow.id,
    version: wanted.version,
    space: workflow.space,
    project: workflow.project,
    startedAt,
  });
  const run = toRow(made, wanted, nodes.length);
  if (fetching) orderFetch(tx, run, fetches);
  if (segments.length > 0) return run;
  await writeRuns(tx, [new LockedRun(run, plan, new Date())]);
  await tx.flush();
  return tx.run.findUniqueOrThrow({ where: { id: run.id } });
}

/** The row as it was written, without reading it again. */
function toRow(made: { id: bigint; created_at: Date }, wanted: Beginning, pending: number): Run {
  const { plan, workflow } = wanted;
  const none = { running: 0, succeeded: 0, failed: 0, stopping: 0, stopped: 0, skipped: 0, changeSeq: 0 };
  return {
    ...none,
    pending,
    executionUnits: 0n,
    id: made.id,
    vaultId: wanted.vaultId,
    name: wanted.name,
    status: wanted.status,
    partial: false,
    creationType: wanted.creationType,
    workflowId: workflow.id,
    workflowName: workflow.name,
    versionId: wanted.version,
    spaceId: workflow.space,
    spaceName: workflow.spaceName,
    projectId: workflow.project,
    projectName: workflow.projectName,
    author: wanted.author,
    parentRun: null,
    origin: wanted.origin,
    scheduleId: wanted.schedule,
    fetching: wanted.fetching,
    refetches: 0,
    plan: plan.sha256,
    inputs: wanted.inputs,
    shownInputs: wanted.shownInputs ?? null,
    parallelism: wanted.parallelism,
    useCache: wanted.useCache ?? null,
    error: null,
    stoppedBy: null,
    deadline: wanted.deadline,
    openSegments: plan.plan.segments.length,
    createdAt: made.created_at,
    startedAt: null,
    finishedAt: null,
  };
}
