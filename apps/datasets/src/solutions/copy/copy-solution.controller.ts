import { Controller, Inject } from '@nestjs/common';
import { copySolution } from '@millrace/contracts/datasets/solutions';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { Solution } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { ChangeLimiter } from '../../concurrency/change-limiter.js';
import { DATASETS_ENV, type DatasetsEnv } from '../../env.js';
import { lockPlace } from '../../spaces/deleted-places.js';
import { SpaceAccess } from '../../spaces/space-access.js';
import { withCount } from '../find-solution.js';
import { toSolution } from '../to-solution.js';
import { checkRowLimit } from './check-row-limit.js';
import { copyContents } from './copy-contents.js';
import { Deadline } from './deadline.js';
import { findSourceSolution } from './find-source-solution.js';
import { lockTables, TablesChangedError } from './lock-tables.js';
import { claimCopies, WorkflowCopier, type WorkflowCopyIds } from './workflow-copier.js';

/** Of the 30 s after which the gateway gives a request up, what is left for taking back what was made. */
const RESERVE_MS = 5_000;
/** More is no solution that somebody made by hand. */
const MAX_WORKFLOWS = 20;

/** Where the tables of the solution are others each time they are looked at. */
const ATTEMPTS = 5;

type Asked = Input<typeof copySolution>['body'];

interface Wanted {
  source: Solution;
  spaceId: string;
  name: string;
}

interface Means {
  workflows: WorkflowCopyIds;
  limit: Deadline;
}

/** Solutions that are made from others. */
@Controller()
export class CopySolutionController {
  constructor(
    private readonly database: Database,
    private readonly places: SpaceAccess,
    private readonly workflows: WorkflowCopier,
    private readonly turns: ChangeLimiter,
    @Inject(DATASETS_ENV) private readonly env: DatasetsEnv,
  ) {}

  @OperationHandler(copySolution)
  async copy({ body }: Input<typeof copySolution>, context: Context): Promise<Result<typeof copySolution>> {
    return this.turns.run(context, () => this.copyNow(body, context));
  }

  private async copyNow(body: Asked, context: Context): Promise<Result<typeof copySolution>> {
    const limit = new Deadline(context.envelope.deadline - Date.now() - RESERVE_MS);
    const spaceId = await this.places.authorizeSpace(body.space, context, undefined, 'body.space');
    const source = await findSourceSolution(this.database.client, body, context);
    const fed = await this.workflows.findExisting(await this.findWorkflows(source), context);
    if (body.project && fed.length === 0) {
      throw new ValidationError({ 'body.project': 'is for the copy of its workflow, and this solution has none' });
    }
    const target = { space: spaceId, project: body.project };
    const wanted = { source, spaceId, name: body.name };
    try {
      return await this.workflows.withCopies(fed, target, context, (workflows) =>
        this.makeAll(wanted, context, { workflows, limit }),
      );
    } catch (error) {
      if (!limit.isExceededBy(error)) throw error;
      const place = body.solution === undefined ? 'body.name' : 'body.solution';
      throw new ValidationError({ [place]: `holds more than can be copied within ${Math.round(limit.ms / 1000)} s` });
    }
  }

  /** The solution's own, and those whose outputs are bound to its tables. */
  private async findWorkflows({ id, workflowId }: Solution): Promise<string[]> {
    const bound = await this.database.client.reportingNode.findMany({
      where: { dataset: { solutionId: id } },
      distinct: ['workflowId'],
      select: { workflowId: true },
      take: MAX_WORKFLOWS + 1,
    });
    const all = new Set([...(workflowId === null ? [] : [workflowId]), ...bound.map((node) => node.workflowId)]);
    if (all.size > MAX_WORKFLOWS) throw new ValidationError({ body: `is fed by more than ${MAX_WORKFLOWS} workflows` });
    return [...all];
  }

  /** Again where tables came or went between being looked up and being locked. */
  private async makeAll(wanted: Wanted, context: Context, means: Means): Promise<Result<typeof copySolution>> {
    for (let attempt = 1; ; attempt++) {
      try {
        const where = { solutionId: wanted.source.id };
        const tables = await this.database.client.dataset.findMany({ where, select: { number: true } });
        const numbers = tables.map(({ number }) => number);
        const make = (tx: Transaction) => this.make(tx, numbers, wanted, context, means);
        return await this.database.transaction(make, { timeoutMs: means.limit.remainingMs + 2_000 });
      } catch (error) {
        if (attempt === ATTEMPTS || !(error instanceof TablesChangedError)) throw error;
      }
    }
  }

  private async make(
    tx: Transaction,
    numbers: number[],
    { source, spaceId, name }: Wanted,
    { caller }: Context,
    means: Means,
  ): Promise<Result<typeof copySolution>> {
    const tables = await lockTables(tx, source.id, numbers, means.limit);
    await claimCopies(tx, means.workflows);
    await lockPlace(tx, 'Space', spaceId, this.database.client);
    const { user: author, vault: vaultId } = caller;
    await checkRowLimit(this.env.LIVE_ROWS_LIMIT, tx, this.database.client, vaultId, tables);
    const { description, icon, color, tags, workflowId: original } = source;
    const workflowId = original === null ? null : (means.workflows.get(original) ?? null);
    const id = newId();
    const data = { id, vaultId, spaceId, name, description, icon, color, tags, workflowId, author };
    await tx.solution.create({ data });
    await copyContents(tx, tables, { solutionId: id, spaceId, author, vaultId }, means);
    return toSolution(await tx.solution.findUniqueOrThrow({ where: { id }, include: withCount }));
  }
}
