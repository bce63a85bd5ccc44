import { Injectable } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { listRunOutputs, listSubjobOutputs } from '@millrace/contracts/runs/outputs';
import { Database } from '@millrace/persistence/database';
import type { Output, Prisma, Run, Subjob } from '@millrace/persistence/generated/client';
import { searchFilter } from '@millrace/persistence/list';
import { PlanStore } from '../engine/plans/plan-store.js';
import type { KeyValue } from '../lists/after-key.js';
import { KeyPage } from '../lists/key-page.js';
import { loadPlan } from '../runs/load-plan.js';
import { toOutput } from './to-output.js';

type RunQuery = Input<typeof listRunOutputs>['query'];
type OutputPage = Result<typeof listRunOutputs>;

const COLUMNS = {
  path: { field: 'path', type: 'text' },
  size: { field: 'size', type: 'bigint' },
  task_index: { field: 'task', type: 'number' },
  node: { field: 'node', type: 'text' },
} as const;
const ID = { field: 'id', type: 'uuid' } as const;

/** Lists of outputs. A run can have millions of them. */
@Injectable()
export class RunOutputLists {
  constructor(
    private readonly database: Database,
    private readonly plans: PlanStore,
  ) {}

  async listForRun(run: Run, query: RunQuery): Promise<OutputPage> {
    const { plan } = await loadPlan(this.plans, run);
    const page = new KeyPage(query, COLUMNS, `outputs of ${run.id}`, ID);
    const named = query.named === 'true' ? new Set(plan.outputs.map(({ step }) => step)) : null;
    const steps = plan.steps.filter(
      ({ index, node }) => (named?.has(index) ?? true) && (query.node === undefined || node === query.node),
    );
    const where: Prisma.OutputWhereInput = {
      ...{ runId: run.id, replaced: false, step: { in: steps.map(({ index }) => index) } },
      ...(query.label !== undefined && { label: query.label }),
      ...searchFilter(query.search, ['path', 'label']),
    };
    // With the nodes in their order, Postgres reads each from the index (run, step, task) instead of sorting everything.
    if (page.skip > 0 || page.orderBy[0]?.['node'] !== 'asc')
      return this.close(page, where, await this.find(page, { AND: [where, page.where] }));
    const found: Output[] = [];
    for (const { step, node } of await this.sortByNode(steps, page.first)) {
      const after = page.first === node ? page.whereSameFirst : {};
      found.push(...(await this.find(page, { AND: [where, after], step }, page.take - found.length)));
      if (found.length === page.take) break;
    }
    return this.close(page, where, found);
  }

  async listForSubjob(run: Run, subjob: Subjob, query: Input<typeof listSubjobOutputs>['query']): Promise<OutputPage> {
    const page = new KeyPage(query, COLUMNS, `outputs of ${subjob.id}`, ID);
    // A task group has the outputs of all of its children.
    const isGroup = subjob.task === 0 && subjob.taskCount !== null;
    const where = {
      ...{ runId: run.id, step: subjob.step, ...(!isGroup && { task: subjob.task }) },
      ...(query.attempt === undefined ? { replaced: false } : { attempt: query.attempt }),
      ...searchFilter(query.search, ['path', 'label']),
    };
    return this.close(page, where, await this.find(page, { AND: [where, page.where] }));
  }

  private find(page: KeyPage, where: Prisma.OutputWhereInput, take = page.take): Promise<Output[]> {
    const isOneStep = typeof where.step === 'number';
    const orderBy = page.orderBy.filter((order) => !isOneStep || !('node' in order));
    return this.database.client.output.findMany({ where, orderBy, skip: page.skip, take });
  }

  private async close(page: KeyPage, where: Prisma.OutputWhereInput, found: Output[]): Promise<OutputPage> {
    const { rows, ...rest } = page.close(found, page.count ?? (await this.database.client.output.count({ where })));
    return { results: rows.map(toOutput), ...rest };
  }

  /**
   * Sorts steps by their nodes. Postgres does it, because the order of names depends on its collation.
   * @param first leaves out the nodes before this one
   */
  private sortByNode(
    steps: readonly { index: number; node: string }[],
    first: KeyValue | undefined,
  ): Promise<{ step: number; node: string }[]> {
    return this.database.client.$queryRaw<{ step: number; node: string }[]>`
      SELECT step, node FROM unnest(${steps.map(({ index }) => index)}::int[], ${steps.map(({ node }) => node)}::text[])
        AS s(step, node) WHERE ${first ?? null}::text IS NULL OR node >= ${first ?? null}::text ORDER BY node, step`;
  }
}
