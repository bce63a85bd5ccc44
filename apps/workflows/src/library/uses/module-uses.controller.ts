import { Controller } from '@nestjs/common';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { listModuleUses } from '@millrace/contracts/workflows/library';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { escapeLike } from '@millrace/persistence/list';
import { toOrderBy, inReadableSpacesOnly, inCallerVault } from '../../workflows/find-workflow-page.js';
import { findModule } from '../find-module.js';

type Query = Input<typeof listModuleUses>['query'];

const FROM_WORKFLOWS = Prisma.sql`
  workflows.version v
  JOIN workflows.workflow w ON w.latest_version_id = v.id
  JOIN workflows.space s ON s.id = w.space_id`;

@Controller()
export class ModuleUsesController {
  constructor(private readonly database: Database) {}

  @OperationHandler(listModuleUses)
  async list(
    { params, query }: Input<typeof listModuleUses>,
    { caller }: Context,
  ): Promise<Result<typeof listModuleUses>> {
    const { client } = this.database;
    const { id } = await findModule(client, params.id, caller);
    const where = Prisma.join(conditions(id, query, caller), ' AND ');
    const order = Prisma.join([...toOrderBy(query.ordering), Prisma.sql`w.id`]);
    const [results, counted] = await Promise.all([
      client.$queryRaw<Result<typeof listModuleUses>['results']>`
        SELECT w.id, w.name, w.space_id AS space_info, s.name AS space_name, v.id AS version, ${nodesOf(id)} AS nodes
        FROM ${FROM_WORKFLOWS}
        JOIN (SELECT w.id FROM ${FROM_WORKFLOWS} WHERE ${where} ORDER BY ${order}
          LIMIT ${query.page_size} OFFSET ${(query.page - 1) * query.page_size}) AS page ON page.id = w.id
        ORDER BY ${order}`,
      client.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count FROM ${FROM_WORKFLOWS} WHERE ${where}`,
    ]);
    return { results, count: counted[0]?.count ?? 0 };
  }
}

/** Names of the nodes that were made from the module. Only for the workflows of one page, because data may be large. */
const nodesOf = (module: string): Prisma.Sql => Prisma.sql`ARRAY(
  SELECT n.key FROM json_each(v.data::json -> 'nodes') AS n
  WHERE json_typeof(n.value) = 'object' AND lower(n.value ->> 'id') = ${module} ORDER BY n.key)`;

function conditions(module: string, { search }: Query, caller: Caller): Prisma.Sql[] {
  const pattern = `%${escapeLike(search)}%`;
  return [
    inCallerVault(caller),
    ...inReadableSpacesOnly(caller),
    Prisma.sql`v.library @> ARRAY[${module}]`,
    ...(search === '' ? [] : [Prisma.sql`(w.name ILIKE ${pattern} OR w.description ILIKE ${pattern})`]),
  ];
}
