import { Controller, Inject } from '@nestjs/common';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { failureKindOf } from '@millrace/contracts/runs/failure-kind';
import { listFailedSubjobs, listFailures } from '@millrace/contracts/runs/failures';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { ObjectStore } from '@millrace/storage/object-store';
import { PlanStore } from '../engine/plans/plan-store.js';
import { OBJECT_STORE } from '../object-store.js';
import { findRun } from '../runs/find-run.js';
import { loadPlan } from '../runs/load-plan.js';
import { type FailedSubjobRow, findFailedSubjobs, readSubjobs } from './find-failed-subjobs.js';
import { type FailureGroupRow, findFailureGroups } from './find-failure-groups.js';
import { findItemSource } from './item-source.js';
import { readLastLines } from './read-last-lines.js';

type FailureGroup = Result<typeof listFailures>['results'][number];
type FailedSubjob = Result<typeof listFailedSubjobs>['results'][number];

/** Groups whose logs are read concurrently. */
const MAX_CONCURRENT_READS = 20;

@Controller()
export class FailuresController {
  constructor(
    private readonly database: Database,
    private readonly plans: PlanStore,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  @OperationHandler(listFailures)
  async list({ params, query }: Input<typeof listFailures>, context: Context): Promise<Result<typeof listFailures>> {
    const run = await findRun(this.database, context, params.id);
    const { count, failed, page } = await findFailureGroups(this.database, run.id, query);
    const { plan } = await loadPlan(this.plans, run);
    const places = page.map(({ step, tasks }) => ({ step, tasks, source: findItemSource(plan, step) }));
    const examples = await readSubjobs(this.database, run.id, places);
    const byPlace = new Map(examples.map((row) => [`${row.step} ${row.task}`, row]));
    const results: FailureGroup[] = [];
    for (let from = 0; from < page.length; from += MAX_CONCURRENT_READS) {
      const groups = page.slice(from, from + MAX_CONCURRENT_READS);
      results.push(...(await Promise.all(groups.map((group) => this.describe(group, byPlace)))));
    }
    return { results, count, failed };
  }

  private async describe(group: FailureGroupRow, byPlace: ReadonlyMap<string, FailedSubjobRow>): Promise<FailureGroup> {
    const [first, ...others] = group.tasks.flatMap((task) => byPlace.get(`${group.step} ${task}`) ?? []);
    const stderr = first?.stderr ? await readLastLines(this.store, first.stderr) : null;
    const kind = failureKindOf(group.reason);
    const exitCode = kind === 'exit_code' ? /\d+/.exec(group.reason)?.[0] : undefined;
    return {
      id: `${group.step}-${group.hash}`,
      node: group.node,
      label: group.label,
      subjob: group.subjob,
      kind,
      ...(exitCode !== undefined && { exit_code: Number(exitCode) }),
      reason: group.reason,
      count: group.count,
      children: group.children,
      share: group.count / group.children,
      ...(group.firstAt !== null && { first_at: new Date(group.firstAt).toISOString() }),
      ...(group.lastAt !== null && { last_at: new Date(group.lastAt).toISOString() }),
      examples: [
        ...(first ? [{ ...toFailedSubjob(first), ...(stderr !== null && { stderr }) }] : []),
        ...others.map(toFailedSubjob),
      ],
    };
  }

  @OperationHandler(listFailedSubjobs)
  async listSubjobs(
    { params, query }: Input<typeof listFailedSubjobs>,
    context: Context,
  ): Promise<Result<typeof listFailedSubjobs>> {
    const run = await findRun(this.database, context, params.id);
    const [, number, hash] = /^(\d{1,6})-([0-9a-f]{16})$/.exec(params.group) ?? [];
    const { plan } = await loadPlan(this.plans, run);
    const step = Number(number);
    if (hash === undefined || !plan.steps[step]) throw new NotFoundError(`Failure group ${params.group}`);
    const { cursor, page_size: size } = query;
    const after = cursor === undefined ? -1 : Math.min(Number(cursor), MAX_TASK);
    const group = { step, source: findItemSource(plan, step), hash, after, limit: size + 1 };
    const rows = await findFailedSubjobs(this.database, run.id, group);
    const page = rows.slice(0, size);
    return { results: page.map(toFailedSubjob), cursor: rows.length > size ? String(page.at(-1)?.task ?? 0) : null };
  }
}

const MAX_TASK = 2 ** 31 - 1;

const toFailedSubjob = (row: FailedSubjobRow): FailedSubjob => ({
  subjob: row.id,
  ...(row.task > 0 && { task_index: row.task }),
  ...(row.item !== null && { item: row.item }),
  ...(row.message !== null && { message: row.message }),
  attempt: row.attempt,
  ...(row.finishedAt && { finished_at: row.finishedAt.toISOString() }),
});
