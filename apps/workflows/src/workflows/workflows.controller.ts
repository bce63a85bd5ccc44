import { Controller } from '@nestjs/common';
import { NotFound, ValidationError } from '@millrace/contracts/kit/api-error';
import type { ListQuery } from '@millrace/contracts/kit/list';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import {
  createWorkflow,
  deleteWorkflow,
  getWorkflow,
  getWorkflowStatus,
  listSpaceWorkflows,
  listWorkflows,
  updateWorkflow,
} from '@millrace/contracts/workflows/workflows';
import { Context } from '@millrace/messaging/context';
import { Handles } from '@millrace/messaging/handles';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';
import { isId, newId } from '@millrace/persistence/ids';
import { matching, pageOf } from '@millrace/persistence/list';
import { inReadableSpaces, inVault } from '@millrace/persistence/tenancy';
import { readSchedule, readSchedules } from '../schedules/read-schedules.js';
import { findSpace } from '../spaces/find-space.js';
import { DATE_COLUMNS } from '../list-columns.js';
import { orNotFound } from '../or-not-found.js';
import { pickGiven } from '../pick-given.js';
import { findWorkflow } from './find-workflow.js';
import { toStatus, toWorkflow, withPlace } from './to-workflow.js';

@Controller()
export class WorkflowsController {
  constructor(private readonly database: Database) {}

  @Handles(listWorkflows)
  async list({ query }: Input<typeof listWorkflows>, { caller }: Context): Promise<Result<typeof listWorkflows>> {
    const { space, project } = query;
    return this.page(query, {
      AND: [
        inVault(caller),
        inReadableSpaces(caller),
        ...filterBy('spaceId', space),
        ...filterBy('projectId', project),
      ],
    });
  }

  @Handles(listSpaceWorkflows)
  async listInSpace(
    { params, query }: Input<typeof listSpaceWorkflows>,
    context: Context,
  ): Promise<Result<typeof listSpaceWorkflows>> {
    const { id } = await findSpace(this.database.client, params.spaceId, context);
    return this.page(query, { AND: [{ spaceId: id }, ...filterBy('projectId', query.project)] });
  }

  @Handles(createWorkflow)
  async create(
    { params, body }: Input<typeof createWorkflow>,
    context: Context,
  ): Promise<Result<typeof createWorkflow>> {
    return this.database.transaction(async (tx) => {
      const { id: spaceId } = await findSpace(tx, params.spaceId, context);
      const projectId = await findProjectId(tx, body.project_info, spaceId, context);
      const place = { ...inVault(context.caller), spaceId, author: context.caller.user };
      const given = pickGiven({ description: body.description, projectId });
      const data = { id: newId(), ...place, name: body.name, ...given };
      return toWorkflow(await orNotFound('Space', tx.workflow.create({ data, include: withPlace })));
    });
  }

  @Handles(getWorkflow)
  async get({ params }: Input<typeof getWorkflow>, context: Context): Promise<Result<typeof getWorkflow>> {
    const workflow = await findWorkflow(this.database.client, params.id, context);
    return toWorkflow(workflow, await readSchedule(this.database.client, workflow.id));
  }

  @Handles(getWorkflowStatus)
  async status(
    { params }: Input<typeof getWorkflowStatus>,
    context: Context,
  ): Promise<Result<typeof getWorkflowStatus>> {
    const workflow = await findWorkflow(this.database.client, params.id, context);
    return toStatus(workflow, await readSchedule(this.database.client, workflow.id));
  }

  @Handles(updateWorkflow)
  async update(
    { params, body }: Input<typeof updateWorkflow>,
    context: Context,
  ): Promise<Result<typeof updateWorkflow>> {
    return this.database.transaction(async (tx) => {
      const { id, spaceId } = await findWorkflow(tx, params.id, context);
      const projectId = await findProjectId(tx, body.project_info, spaceId, context);
      const { name, description, long_description: longDescription } = body;
      const data = pickGiven({ name, description, longDescription, projectId });
      const updated = await orNotFound('Workflow', tx.workflow.update({ where: { id }, data, include: withPlace }));
      return toWorkflow(updated, await readSchedule(tx, id));
    });
  }

  @Handles(deleteWorkflow)
  async delete({ params }: Input<typeof deleteWorkflow>, context: Context): Promise<null> {
    return this.database.transaction(async (tx) => {
      const { id } = await findWorkflow(tx, params.id, context);
      await orNotFound('Workflow', tx.workflow.delete({ where: { id } }));
      return null;
    });
  }

  private async page(query: ListQuery, filter: Prisma.WorkflowWhereInput): Promise<Result<typeof listWorkflows>> {
    const { workflow } = this.database.client;
    const where = { ...filter, ...matching(query.search, ['name', 'description']) };
    const [rows, count] = await Promise.all([
      workflow.findMany({ where, include: withPlace, ...pageOf(query, DATE_COLUMNS) }),
      workflow.count({ where }),
    ]);
    const schedules = await readSchedules(
      this.database.client,
      rows.map(({ id }) => id),
    );
    return { results: rows.map((row) => toWorkflow(row, schedules.get(row.id) ?? null)), count };
  }
}

/** Filter of a list by an id that a client gave; what is not an id matches nothing. */
const filterBy = (field: 'spaceId' | 'projectId', id: string | undefined): Prisma.WorkflowWhereInput[] =>
  id === undefined ? [] : [isId(id) ? { [field]: id } : { id: { in: [] } }];

/**
 * Reads `project_info`: nothing given stays nothing, null and empty take the workflow out of its project.
 * @throws NotFound, or ValidationError for a project of another space
 */
async function findProjectId(
  tx: Transaction,
  id: string | null | undefined,
  spaceId: string,
  context: Context,
): Promise<string | null | undefined> {
  if (id === undefined) return undefined;
  if (id === null || id === '') return null;
  const where = { id, ...inVault(context.caller) };
  const found = isId(id) ? await tx.project.findFirst({ where, select: { id: true, spaceId: true } }) : null;
  if (!found) throw new NotFound('Project');
  if (found.spaceId !== spaceId) throw new ValidationError({ 'body.project_info': 'is a project of another space' });
  return found.id;
}
