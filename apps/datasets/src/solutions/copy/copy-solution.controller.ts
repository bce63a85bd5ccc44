import { Controller, Inject } from '@nestjs/common';
import { copySolution } from '@millrace/contracts/datasets/solutions';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { Solution } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { ChangeLimiter } from '../../datasets/dataset-transactions.js';
import { findRowLimit } from '../../datasets/find-row-limit.js';
import { DATASETS_ENV, type DatasetsEnv } from '../../env.js';
import { lockPlace } from '../../spaces/deleted-places.js';
import { SpaceAccess } from '../../spaces/space-access.js';
import { withCount, toSolution } from '../find-solution.js';
import { copyContents } from './copy-contents.js';
import { Deadline } from './deadline.js';
import { findSourceSolution } from './find-source-solution.js';
import { checkRowLimit, lockTables, TablesChangedError } from './lock-tables.js';
import { claimCopies, WorkflowCopier, type WorkflowCopyIds } from './workflow-copier.js';

/** Part of the gateway's 30 s request timeout that is reserved for discarding copies after a failure. */
const CLEANUP_MS = 5_000;
/** Solutions that people build by hand have fewer source workflows. */
const MAX_WORKFLOWS = 20;
/** Attempts if the tables of the solution change between lookup and lock each time. */
const MAX_ATTEMPTS = 5;

type CopyRequest = Input<typeof copySolution>['body'];

interface CopyPlan {
  source: Solution;
  spaceId: string;
  name: string;
}

interface CopyResources {
  workflows: WorkflowCopyIds;
  deadline: Deadline;
}

/** Copies solutions. */
@Controller()
export class CopySolutionController {
  constructor(
    private readonly database: Database,
    private readonly access: SpaceAccess,
    private readonly workflows: WorkflowCopier,
    private readonly limiter: ChangeLimiter,
    @Inject(DATASETS_ENV) private readonly env: DatasetsEnv,
  ) {}

  @OperationHandler(copySolution)
  async copy({ body }: Input<typeof copySolution>, context: Context): Promise<Result<typeof copySolution>> {
    return this.limiter.run(context, () => this.copyWithDeadline(body, context));
  }

  private async copyWithDeadline(request: CopyRequest, context: Context): Promise<Result<typeof copySolution>> {
    const deadline = new Deadline(context.envelope.deadline - Date.now() - CLEANUP_MS);
    const spaceId = await this.access.authorizeSpace(request.space, context, undefined, 'body.space');
    const source = await findSourceSolution(this.database.client, request, context);
    const workflowIds = await this.workflows.findExisting(await this.findWorkflowIds(source), context);
    if (request.project && workflowIds.length === 0) {
      throw new ValidationError({ 'body.project': 'must be absent, because the solution has no workflow to copy' });
    }
    const target = { space: spaceId, project: request.project };
    const plan = { source, spaceId, name: request.name };
    try {
      return await this.workflows.withCopies(workflowIds, target, context, (workflows) =>
        this.copyWithRetries(plan, context, { workflows, deadline }),
      );
    } catch (error) {
      if (!deadline.isExceededBy(error)) throw error;
      const detailsKey = request.solution === undefined ? 'body.name' : 'body.solution';
      const seconds = Math.round(deadline.ms / 1000);
      throw new ValidationError({ [detailsKey]: `must be a solution that can be copied within ${seconds} s` });
    }
  }

  /** The solution's own workflow, and those whose outputs are bound to its tables. */
  private async findWorkflowIds({ id, workflowId }: Solution): Promise<string[]> {
    const bound = await this.database.client.reportingNode.findMany({
      where: { dataset: { solutionId: id } },
      distinct: ['workflowId'],
      select: { workflowId: true },
      take: MAX_WORKFLOWS + 1,
    });
    const all = new Set([...(workflowId === null ? [] : [workflowId]), ...bound.map((node) => node.workflowId)]);
    if (all.size > MAX_WORKFLOWS) {
      throw new ValidationError({ body: `names a solution with more than ${MAX_WORKFLOWS} source workflows` });
    }
    return [...all];
  }

  /** Tries again if tables were added or dropped between their lookup and their lock. */
  private async copyWithRetries(
    plan: CopyPlan,
    context: Context,
    resources: CopyResources,
  ): Promise<Result<typeof copySolution>> {
    for (let attempt = 1; ; attempt++) {
      try {
        const where = { solutionId: plan.source.id };
        const tables = await this.database.client.dataset.findMany({ where, select: { number: true } });
        const numbers = tables.map(({ number }) => number);
        const copy = (tx: Transaction) => this.copyIn(tx, numbers, plan, context, resources);
        return await this.database.transaction(copy, { timeoutMs: resources.deadline.remainingMs + 2_000 });
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !(error instanceof TablesChangedError)) throw error;
      }
    }
  }

  private async copyIn(
    tx: Transaction,
    numbers: number[],
    { source, spaceId, name }: CopyPlan,
    { caller }: Context,
    { workflows, deadline }: CopyResources,
  ): Promise<Result<typeof copySolution>> {
    const tables = await lockTables(tx, source.id, numbers, deadline);
    await claimCopies(tx, workflows);
    await lockPlace(tx, 'Space', spaceId, this.database.client);
    const { user: author, vault: vaultId } = caller;
    const limit = await findRowLimit(this.database.client, vaultId, this.env.LIVE_ROWS_LIMIT);
    await checkRowLimit(limit, tx, this.database.client, vaultId, tables);
    const { description, icon, color, tags, workflowId: original } = source;
    const workflowId = original === null ? null : (workflows.get(original) ?? null);
    const id = newId();
    const data = { id, vaultId, spaceId, name, description, icon, color, tags, workflowId, author };
    await tx.solution.create({ data });
    await copyContents(tx, tables, { solutionId: id, spaceId, author, vaultId }, { workflows, deadline });
    return toSolution(await tx.solution.findUniqueOrThrow({ where: { id }, include: withCount }));
  }
}
