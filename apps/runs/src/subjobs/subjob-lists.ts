import { Injectable } from '@nestjs/common';
import type { Result } from '@millrace/contracts/kit/operation';
import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { listChildren } from '@millrace/contracts/runs/subjobs';
import { Database } from '@millrace/persistence/database';
import type { Prisma, Run, Subjob } from '@millrace/persistence/generated/client';
import { searchFilter } from '@millrace/persistence/list';
import { PlanStore } from '../engine/plans/plan-store.js';
import { columnOf } from '../engine/transaction/locked-run.js';
import { KeyPage, type KeyQuery } from '../lists/key-page.js';
import { loadPlan } from '../runs/load-plan.js';
import { describeSubjobs } from './describe-subjobs.js';

type SubjobQuery = KeyQuery & { status?: SubjobStatus[] | undefined };
type SubjobPage = Result<typeof listChildren>;

const TASK = { field: 'task', type: 'number' } as const;
const TIMES = {
  started_at: { field: 'startedAt', type: 'date', isNullable: true },
  finished_at: { field: 'finishedAt', type: 'date', isNullable: true },
} as const;
const NODE_COLUMNS = { task_index: TASK, ...TIMES, id: { field: 'id', type: 'bigint' } } as const;
/** Children are inserted in the order of their numbers, which an index has. */
const CHILD_COLUMNS = { task_index: TASK, ...TIMES, id: TASK } as const;

/** Lists of subjobs. A run can have a million of them, so every condition is one of the index (run, step, task). */
@Injectable()
export class SubjobLists {
  constructor(
    private readonly database: Database,
    private readonly plans: PlanStore,
  ) {}

  /** Lists the nodes of a run. */
  async listNodes(run: Run, query: SubjobQuery, ofNode: Prisma.SubjobWhereInput): Promise<SubjobPage> {
    const steps = await this.stepsOf(run);
    const where = { runId: run.id, step: { in: steps }, task: 0, AND: [ofNode, filterOf(query)] };
    const page = new KeyPage(query, NODE_COLUMNS, `nodes of ${run.id}`);
    return this.read(run, page, where, () => this.database.client.subjob.count({ where }));
  }

  /** Lists the children of a task group. */
  async listChildren(run: Run, group: Subjob | null, query: SubjobQuery): Promise<SubjobPage> {
    const page = new KeyPage(query, CHILD_COLUMNS, `children of ${run.id} ${group?.id}`);
    if (group?.task !== 0 || hasNone(run, query.status)) return { results: [], count: 0, cursor: null };
    const isWhole = query.status === undefined && query.search === '';
    const [first] = query.ordering;
    // Their numbers have no gaps, so the page begins with a number.
    const isNumbered = isWhole && !first?.descending && CHILD_COLUMNS[first?.field as 'id'] === TASK;
    const task = { gt: isNumbered ? page.skip : 0 };
    const where = { runId: run.id, step: group.step, task, AND: filterOf(query) };
    return this.read(run, page, where, () => this.countChildren(run, group, query), isNumbered ? 0 : page.skip);
  }

  private async read(
    run: Run,
    page: KeyPage,
    where: Prisma.SubjobWhereInput,
    count: () => Promise<number>,
    skip = page.skip,
  ): Promise<SubjobPage> {
    const { client } = this.database;
    const [found, counted] = await Promise.all([
      client.subjob.findMany({ where: { AND: [where, page.where] }, orderBy: page.orderBy, skip, take: page.take }),
      page.count ?? count(),
    ]);
    const { rows, ...rest } = page.close(found, counted);
    return { results: await describeSubjobs(client, this.plans, run, rows), ...rest };
  }

  /** The run counts its subjobs by status. If there is one task group only, what are not nodes are its children. */
  private async countChildren(run: Run, group: Subjob, { status, search }: SubjobQuery): Promise<number> {
    const { client } = this.database;
    const ofRun = { runId: run.id, ...(status && { status: { in: status } }) };
    if (search !== '')
      return client.subjob.count({ where: { ...ofRun, step: group.step, task: { gt: 0 }, AND: filterOf({ search }) } });
    if (status === undefined) return group.taskCount ?? 0;
    const { plan } = await loadPlan(this.plans, run);
    if (plan.steps.filter(({ scope }) => scope !== null).length > 1) {
      return client.subjob.count({ where: { ...ofRun, step: group.step, task: { gt: 0 } } });
    }
    const step = { in: await this.stepsOf(run) };
    const nodes = await client.subjob.count({
      where: { ...ofRun, step, task: 0, OR: [{ taskCount: null }, { taskCount: 0 }] },
    });
    return Math.max(0, status.reduce((sum, one) => sum + run[columnOf(one)], 0) - nodes);
  }

  private async stepsOf(run: Run): Promise<number[]> {
    return (await loadPlan(this.plans, run)).plan.steps.map(({ index }) => index);
  }
}

/** No subjob of the run has one of these statuses: nothing has to be searched for. */
const hasNone = (run: Run, statuses: SubjobStatus[] | undefined): boolean =>
  statuses?.every((status) => run[columnOf(status)] === 0) ?? false;

const filterOf = ({ status, search }: Pick<SubjobQuery, 'status' | 'search'>): Prisma.SubjobWhereInput => ({
  ...(status && { status: { in: status } }),
  ...searchFilter(search, ['node', 'label']),
});
