import { Controller } from '@nestjs/common';
import { listBoundOutputs } from '@millrace/contracts/datasets/loads';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { Prisma, type Output, type Run } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { PlanStore } from '../engine/plans/plan-store.js';
import { loadPlan } from '../runs/load-plan.js';
import { bindOutputs, type BoundOutput } from './bind-outputs.js';
import { findOrigins } from './find-origins.js';
import { toContent } from './to-output.js';

type BoundOutputsRequest = Input<typeof listBoundOutputs>['body'];
type BoundOutputsPage = Result<typeof listBoundOutputs>;

/** Lists outputs of a run for the datasets service, as users may see them. */
@Controller()
export class BoundOutputsController {
  constructor(
    private readonly database: Database,
    private readonly plans: PlanStore,
  ) {}

  @OperationHandler(listBoundOutputs)
  async list(input: Input<typeof listBoundOutputs>): Promise<BoundOutputsPage> {
    // The request does not pass through the gateway, which would fill in defaults.
    const body = listBoundOutputs.body.parse(input.body);
    const run = await this.findRun(body);
    if (!run) return { run: null, outputs: [], next: null };
    const { workflowId: workflow, workflowName, versionId: version, spaceId: space, partial, status, revision } = run;
    const found = await this.findOutputs(run, body);
    const complete = body.after === undefined ? { complete: await this.isComplete(run, body) } : {};
    return {
      run: { workflow, workflowName, version, space, partial, status, revision, ...complete },
      outputs: found.map(toBoundOutput),
      next: found.length < body.limit ? null : (found.at(-1)?.id ?? null),
    };
  }

  private async findRun({ run, vault }: BoundOutputsRequest): Promise<Run | null> {
    if (!/^\d{1,18}$/.test(run)) return null;
    return this.database.client.run.findFirst({ where: { id: BigInt(run), vaultId: vault } });
  }

  /** In the order of the graph, children by index: a later output takes precedence over an earlier one. */
  private async findOutputs(run: Run, body: BoundOutputsRequest): Promise<Output[]> {
    const bound = await this.bind(run, body);
    if (bound?.length === 0) return [];
    const { after, limit, path } = body;
    const where: Prisma.OutputWhereInput = {
      runId: run.id,
      replaced: false,
      ...(bound ? { OR: bound.map((one) => ({ ...one })) } : path !== undefined && { path }),
    };
    const from: Prisma.OutputFindManyArgs =
      after !== undefined && isId(after) ? { cursor: { id: after }, skip: 1 } : {};
    return this.database.client.output.findMany({
      where,
      orderBy: [{ step: 'asc' }, { task: 'asc' }, { path: 'asc' }, { id: 'asc' }],
      take: limit,
      ...from,
    });
  }

  /**
   * Whether no subjob is missing among those that the outputs come from. Without tolerated failures and without skips by
   * a user, only conditions can have left some out, which is what the workflow says.
   */
  private async isComplete(run: Run, body: BoundOutputsRequest): Promise<boolean> {
    if (run.status !== 'COMPLETED') return false;
    if (run.part !== null && !(await this.isInPart(run, body))) return false;
    if (!run.hasFailures && run.repairs === 0) return true;
    const bound = await this.bind(run, body);
    const steps = bound === null ? null : findOrigins((await loadPlan(this.plans, run)).plan, bound);
    const [missing] = await this.database.client.$queryRaw<unknown[]>`
      SELECT 1 FROM runs.subjob WHERE run_id = ${run.id} AND status <> 'SUCCEEDED'
        AND NOT (task = 0 AND coalesce(task_count, 0) > 0) AND (${steps}::int[] IS NULL OR step = ANY(${steps}::int[])) LIMIT 1`;
    return missing === undefined;
  }

  /** Whether the run executes the node that the request names. */
  private async isInPart(run: Run, { node }: BoundOutputsRequest): Promise<boolean> {
    if (node === undefined) return false;
    const { plan } = await loadPlan(this.plans, run);
    return plan.steps.some((step) => step.node === node || step.node.startsWith(`${node}/`));
  }

  /** @returns null if the request is for the outputs of all nodes */
  private async bind(
    run: Run,
    { node, path, module }: BoundOutputsRequest,
  ): Promise<(BoundOutput | { node: string })[] | null> {
    if (node === undefined) return null;
    if (path === undefined) return [{ node }];
    if (!module) return [{ node, path }];
    return bindOutputs((await loadPlan(this.plans, run)).plan, node, path);
  }
}

function toBoundOutput(row: Output): BoundOutputsPage['outputs'][number] {
  const { sha256, size } = toContent(row);
  const { id, node, path, task: taskIndex } = row;
  return { id, subjob: String(row.subjobId), node, taskIndex, path, size, sha256 };
}
