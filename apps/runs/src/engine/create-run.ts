import { runStarted } from '@millrace/contracts/runs/runs';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import type { CreationType } from '@millrace/contracts/runs/statuses';
import type { Transaction } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';
import { LockedRun } from './locked-run.js';
import type { PlanIndex } from './plan-index.js';
import { writeRuns } from './write-runs.js';

export interface NewRun {
  plan: PlanIndex;
  vaultId: string;
  author: string;
  name: string;
  creationType: CreationType;
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
  parallelism: number;
  deadline: Date | null;
}

/** Writes a run with all that is known of it at the start: segments, tasks that run once, subjobs of the nodes. */
export async function createRun(tx: Transaction, wanted: NewRun): Promise<Run> {
  const { plan, workflow } = wanted;
  const subjobs = plan.plan.steps.filter(({ index }) => !plan.isHidden(index));
  const run = await tx.run.create({
    data: {
      vaultId: wanted.vaultId,
      name: wanted.name,
      status: 'PENDING',
      creationType: wanted.creationType,
      workflowId: workflow.id,
      workflowName: workflow.name,
      versionId: wanted.version,
      spaceId: workflow.space,
      spaceName: workflow.spaceName,
      projectId: workflow.project,
      projectName: workflow.projectName,
      author: wanted.author,
      plan: plan.sha256,
      inputs: wanted.inputs,
      parallelism: wanted.parallelism,
      deadline: wanted.deadline,
      openSegments: plan.plan.segments.length,
      pending: subjobs.length,
    },
  });
  await insertSegments(tx, run.id, plan);
  await insertSubjobs(tx, run.id, subjobs);
  const startedAt = run.createdAt.toISOString();
  tx.emit(runStarted, {
    run: String(run.id),
    vault: run.vaultId,
    workflow: workflow.id,
    version: wanted.version,
    startedAt,
  });
  if (plan.plan.segments.length > 0) return run;
  await writeRuns(tx, [new LockedRun(run, plan, new Date())]);
  return tx.run.findUniqueOrThrow({ where: { id: run.id } });
}

async function insertSegments(tx: Transaction, run: bigint, plan: PlanIndex): Promise<void> {
  const rows = plan.plan.segments.map(({ index, scope, needs }) => ({
    segment: index,
    total: scope === null ? 1 : null,
    state: scope !== null ? null : needs.length === 0 ? 'READY' : 'WAITING',
  }));
  await tx.$executeRaw`
    WITH s AS (SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS s(segment int, total int, state text)),
      made AS (INSERT INTO runs.segment (run_id, segment, total) SELECT ${run}, segment, total FROM s)
    INSERT INTO runs.task (run_id, segment, index, state) SELECT ${run}, segment, 0, state FROM s WHERE state IS NOT NULL`;
}

async function insertSubjobs(tx: Transaction, run: bigint, steps: PlanIndex['plan']['steps']): Promise<void> {
  const rows = steps.map(({ index, node, label }) => ({ step: index, node, label }));
  await tx.$executeRaw`
    INSERT INTO runs.subjob (run_id, step, task, node, label, status)
    SELECT ${run}, step, 0, node, label, 'PENDING'
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS s(step int, node text, label text) ORDER BY step`;
}
