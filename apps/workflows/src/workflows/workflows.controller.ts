import { Controller } from '@nestjs/common';
import type { ListQuery } from '@millrace/contracts/kit/list';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import {
  createWorkflow,
  deleteWorkflow,
  findNames,
  getWorkflow,
  getWorkflowStatus,
  listSpaceWorkflows,
  listVaultWorkflows,
  listWorkflows,
  updateWorkflow,
} from '@millrace/contracts/workflows/workflows';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';
import { omitUndefined } from '@millrace/persistence/omit-undefined';
import { orNotFound } from '@millrace/persistence/or-not-found';
import { findProjectId } from '../projects/find-project-id.js';
import { readSchedule } from '../schedules/read-schedules.js';
import { findSpace } from '../spaces/find-space.js';
import {
  findWorkflowPage,
  hasPlaceId,
  hasDatabase,
  hasSchedule,
  inReadableSpacesOnly,
  inCallerVault,
} from './find-workflow-page.js';
import { findWorkflowForUpdate, findWorkflow } from './find-workflow.js';
import { insertWorkflow } from './insert-workflow.js';
import { removeWorkflow } from './remove-workflow.js';
import { toStatus, toVaultWorkflow, toWorkflow, withPlaceNames } from './to-workflow.js';

@Controller()
export class WorkflowsController {
  constructor(private readonly database: Database) {}

  @OperationHandler(listWorkflows)
  async list({ query }: Input<typeof listWorkflows>, { caller }: Context): Promise<Result<typeof listWorkflows>> {
    const { space, project, schedule } = query;
    const filters = [...hasPlaceId('space_id', space), ...hasPlaceId('project_id', project), ...hasSchedule(schedule)];
    return this.page(query, [inCallerVault(caller), ...inReadableSpacesOnly(caller), ...filters]);
  }

  @OperationHandler(listSpaceWorkflows)
  async listInSpace(
    { params, query }: Input<typeof listSpaceWorkflows>,
    context: Context,
  ): Promise<Result<typeof listSpaceWorkflows>> {
    const { id } = await findSpace(this.database.client, params.spaceId, context);
    return this.page(query, [
      inCallerVault(context.caller),
      ...hasPlaceId('space_id', id),
      ...hasPlaceId('project_id', query.project),
    ]);
  }

  @OperationHandler(listVaultWorkflows)
  async listInVault(
    { query }: Input<typeof listVaultWorkflows>,
    { caller }: Context,
  ): Promise<Result<typeof listVaultWorkflows>> {
    const conditions = [inCallerVault(caller), ...hasDatabase(query.has_database)];
    const { rows, count } = await findWorkflowPage(this.database.client, query, conditions);
    return { results: rows.map(toVaultWorkflow), count };
  }

  @OperationHandler(createWorkflow)
  async create(
    { params, body }: Input<typeof createWorkflow>,
    context: Context,
  ): Promise<Result<typeof createWorkflow>> {
    const { name, description, project_info: project } = body;
    return this.database.transaction(async (tx) => {
      const { id: spaceId } = await findSpace(tx, params.spaceId, context);
      const workflow = { spaceId, project, projectField: 'body.project_info', name, description };
      return toWorkflow(await insertWorkflow(tx, workflow, context));
    });
  }

  @OperationHandler(getWorkflow)
  async get({ params }: Input<typeof getWorkflow>, context: Context): Promise<Result<typeof getWorkflow>> {
    const workflow = await findWorkflow(this.database.client, params.id, context);
    return toWorkflow(workflow, await readSchedule(this.database.client, workflow));
  }

  @OperationHandler(getWorkflowStatus)
  async status(
    { params }: Input<typeof getWorkflowStatus>,
    context: Context,
  ): Promise<Result<typeof getWorkflowStatus>> {
    const workflow = await findWorkflow(this.database.client, params.id, context);
    return toStatus(workflow, await readSchedule(this.database.client, workflow));
  }

  @OperationHandler(updateWorkflow)
  async update(
    { params, body }: Input<typeof updateWorkflow>,
    context: Context,
  ): Promise<Result<typeof updateWorkflow>> {
    return this.database.transaction(async (tx) => {
      const { id, spaceId } = await findWorkflowForUpdate(tx, params.id, context);
      const projectId = await findProjectId(tx, body.project_info, spaceId, context, 'body.project_info');
      const { name, description, long_description: longDescription } = body;
      const data = omitUndefined({ name, description, longDescription, projectId });
      const updated = await orNotFound(
        `Workflow ${id}`,
        tx.workflow.update({ where: { id }, data, include: withPlaceNames }),
      );
      return toWorkflow(updated, await readSchedule(tx, updated));
    });
  }

  @OperationHandler(deleteWorkflow)
  async delete({ params }: Input<typeof deleteWorkflow>, context: Context): Promise<null> {
    return this.database.transaction(async (tx) => {
      const { id, vaultId } = await findWorkflow(tx, params.id, context);
      await removeWorkflow(tx, { id, vaultId });
      return null;
    });
  }

  /** Names of workflows and spaces, for services that store only their ids. */
  @OperationHandler(findNames)
  async findNames({ body }: Input<typeof findNames>): Promise<Result<typeof findNames>> {
    const args = { where: { vaultId: body.vault, id: { in: body.ids } }, select: { id: true, name: true } } as const;
    const { client } = this.database;
    const [workflows, spaces] = await Promise.all([client.workflow.findMany(args), client.space.findMany(args)]);
    return { names: Object.fromEntries([...workflows, ...spaces].map(({ id, name }) => [id, name])) };
  }

  private async page(query: ListQuery, conditions: Prisma.Sql[]): Promise<Result<typeof listWorkflows>> {
    const { rows, count } = await findWorkflowPage(this.database.client, query, conditions);
    return { results: rows.map((row) => toWorkflow(row, row.schedule)), count };
  }
}
