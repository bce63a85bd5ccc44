import { Controller } from '@nestjs/common';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import {
  createProject,
  deleteProject,
  getProject,
  listProjects,
  updateProject,
} from '@millrace/contracts/workflows/projects';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { Project } from '@millrace/persistence/generated/client';
import { isId, newId } from '@millrace/persistence/ids';
import { DATE_COLUMNS, pageArgs, searchFilter } from '@millrace/persistence/list';
import { omitUndefined } from '@millrace/persistence/omit-undefined';
import { orNotFound } from '@millrace/persistence/or-not-found';
import { inVault } from '@millrace/persistence/tenancy';
import { findSpace } from '../spaces/find-space.js';

@Controller()
export class ProjectsController {
  constructor(private readonly database: Database) {}

  @OperationHandler(listProjects)
  async list({ params, query }: Input<typeof listProjects>, context: Context): Promise<Result<typeof listProjects>> {
    const { client } = this.database;
    const space = await findSpace(client, params.spaceId, context);
    const where = { spaceId: space.id, ...searchFilter(query.search, ['name', 'description']) };
    const [rows, count] = await Promise.all([
      client.project.findMany({ where, include: withSpace, ...pageArgs(query, DATE_COLUMNS) }),
      client.project.count({ where }),
    ]);
    return { results: rows.map(toProject), count };
  }

  @OperationHandler(createProject)
  async create({ params, body }: Input<typeof createProject>, context: Context): Promise<Result<typeof createProject>> {
    return this.database.transaction(async (tx) => {
      const { id: spaceId } = await findSpace(tx, params.spaceId, context);
      const data = { id: newId(), ...inVault(context.caller), spaceId, author: context.caller.user, name: body.name };
      const optional = omitUndefined({ description: body.description });
      const created = tx.project.create({ data: { ...data, ...optional }, include: withSpace });
      return toProject(await orNotFound(`Space ${spaceId}`, created));
    });
  }

  @OperationHandler(getProject)
  async get({ params }: Input<typeof getProject>, context: Context): Promise<Result<typeof getProject>> {
    return toProject(await findProject(this.database.client, params.id, context));
  }

  @OperationHandler(updateProject)
  async update({ params, body }: Input<typeof updateProject>, context: Context): Promise<Result<typeof updateProject>> {
    return this.database.transaction(async (tx) => {
      const { id } = await findProject(tx, params.id, context);
      const data = omitUndefined({ name: body.name, description: body.description });
      return toProject(
        await orNotFound(`Project ${id}`, tx.project.update({ where: { id }, data, include: withSpace })),
      );
    });
  }

  @OperationHandler(deleteProject)
  async delete({ params }: Input<typeof deleteProject>, context: Context): Promise<null> {
    return this.database.transaction(async (tx) => {
      const { id } = await findProject(tx, params.id, context);
      await orNotFound(`Project ${id}`, tx.project.delete({ where: { id } }));
      return null;
    });
  }
}

async function findProject(client: Pick<Transaction, 'project'>, id: string, context: Context): Promise<PlacedProject> {
  const where = { id, ...inVault(context.caller) };
  const found = isId(id) ? await client.project.findFirst({ where, include: withSpace }) : null;
  if (!found) throw new NotFoundError(`Project ${id}`);
  context.requireSpaceRole(found.spaceId, `Project ${id}`);
  return found;
}

/** Loads a project with its space's name and the number of its workflows. */
const withSpace = { space: { select: { name: true } }, _count: { select: { workflows: true } } } as const;

interface PlacedProject extends Project {
  space: { name: string };
  _count: { workflows: number };
}

const toProject = (row: PlacedProject): Result<typeof getProject> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  space_info: row.spaceId,
  space_name: row.space.name,
  workflows_count: row._count.workflows,
  author: row.author,
  created_date: row.createdAt.toISOString(),
  modified_date: row.modifiedAt.toISOString(),
});
