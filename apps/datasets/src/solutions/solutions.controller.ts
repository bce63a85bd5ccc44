import { Controller } from '@nestjs/common';
import {
  createSolution,
  deleteSolution,
  getSolution,
  listSolutions,
  updateSolution,
} from '@millrace/contracts/datasets/solutions';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { isId, newId } from '@millrace/persistence/ids';
import { DATE_COLUMNS, pageArgs, searchFilter } from '@millrace/persistence/list';
import { omitUndefined } from '@millrace/persistence/omit-undefined';
import { orNotFound } from '@millrace/persistence/or-not-found';
import { inVault } from '@millrace/persistence/tenancy';
import { preemptLocks } from '../datasets/lock-datasets.js';
import { lockPlace } from '../spaces/deleted-places.js';
import { SpaceAccess } from '../spaces/space-access.js';
import { deleteSolutions } from './delete-solutions.js';
import { findSolution, withCount, queryableSolutions, toSolution } from './find-solution.js';

/** Solutions. The browser app also calls them databases. */
@Controller()
export class SolutionsController {
  constructor(
    private readonly database: Database,
    private readonly access: SpaceAccess,
  ) {}

  @OperationHandler(listSolutions)
  async list({ query }: Input<typeof listSolutions>, { caller }: Context): Promise<Result<typeof listSolutions>> {
    const { vault = caller.vault, space } = query;
    if (vault.toLowerCase() !== caller.vault || (space !== undefined && !isId(space))) return { results: [], count: 0 };
    const spaceFilter = space === undefined ? {} : { spaceId: space };
    const where = {
      AND: [queryableSolutions(caller), spaceFilter, searchFilter(query.search, ['name', 'description'])],
    };
    const { solution } = this.database.client;
    const [rows, count] = await Promise.all([
      solution.findMany({ where, include: withCount, ...pageArgs(query, DATE_COLUMNS) }),
      solution.count({ where }),
    ]);
    return { results: rows.map(toSolution), count };
  }

  @OperationHandler(createSolution)
  async create({ body }: Input<typeof createSolution>, context: Context): Promise<Result<typeof createSolution>> {
    const spaceId = await this.access.authorizeSpace(body.space, context, undefined, 'body.space');
    const fields = await this.readFields(body, context);
    const data = { id: newId(), ...inVault(context.caller), spaceId, author: context.caller.user, name: body.name };
    return this.database.transaction(async (tx) => {
      await lockPlace(tx, 'Space', spaceId);
      if (fields.workflowId) await lockPlace(tx, 'Workflow', fields.workflowId);
      return toSolution(await tx.solution.create({ data: { ...data, ...fields }, include: withCount }));
    });
  }

  @OperationHandler(getSolution)
  async get({ params }: Input<typeof getSolution>, context: Context): Promise<Result<typeof getSolution>> {
    return toSolution(await findSolution(this.database.client, params.id, context));
  }

  @OperationHandler(updateSolution)
  async update(
    { params, body }: Input<typeof updateSolution>,
    context: Context,
  ): Promise<Result<typeof updateSolution>> {
    const { id } = await findSolution(this.database.client, params.id, context);
    const data = await this.readFields(body, context);
    return this.database.transaction(async (tx) => {
      if (data.workflowId) await lockPlace(tx, 'Workflow', data.workflowId);
      const updated = tx.solution.update({ where: { id }, data, include: withCount });
      return toSolution(await orNotFound(`Solution ${id}`, updated));
    });
  }

  @OperationHandler(deleteSolution)
  async delete({ params }: Input<typeof deleteSolution>, context: Context): Promise<null> {
    return preemptLocks(this.database, async (tx) => {
      const { id } = await findSolution(tx, params.id, context);
      await deleteSolutions(tx, { ...inVault(context.caller), id });
      return null;
    });
  }

  private async readFields(body: Input<typeof updateSolution>['body'], context: Context) {
    const { name, description, icon, color, tags, is_public: isPublic } = body;
    const workflowId = await this.access.resolveWorkflow(body.workflow_id, context);
    return omitUndefined({ name, description, icon, color, tags, isPublic, workflowId });
  }
}
