import { Controller } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { createSpace, deleteSpace, getSpace, listSpaces, updateSpace } from '@millrace/contracts/workflows/spaces';
import { Context } from '@millrace/messaging/context';
import { Handles } from '@millrace/messaging/handles';
import { Database } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { matching, pageOf } from '@millrace/persistence/list';
import { inVault } from '@millrace/persistence/tenancy';
import { findSpace } from './find-space.js';
import { DATE_COLUMNS } from './list-columns.js';
import { orNotFound } from './or-not-found.js';
import { pickGiven } from './pick-given.js';
import { toSpace, withCounts } from './to-space.js';

@Controller()
export class SpacesController {
  constructor(private readonly database: Database) {}

  @Handles(listSpaces)
  async list({ query }: Input<typeof listSpaces>, { caller }: Context): Promise<Result<typeof listSpaces>> {
    const where = {
      ...inVault(caller),
      ...(caller.spaces !== 'all' && { id: { in: Object.keys(caller.spaces) } }),
      ...matching(query.search, ['name', 'description']),
    };
    const { space } = this.database.client;
    const [rows, count] = await Promise.all([
      space.findMany({ where, include: withCounts, ...pageOf(query, DATE_COLUMNS) }),
      space.count({ where }),
    ]);
    return { results: rows.map(toSpace), count };
  }

  @Handles(createSpace)
  async create({ body }: Input<typeof createSpace>, { caller }: Context): Promise<Result<typeof createSpace>> {
    return this.database.transaction(async (tx) => {
      const data = { id: newId(), ...inVault(caller), author: caller.user, name: body.name };
      const given = pickGiven({ description: body.description, color: body.color, playground: body.playground });
      return toSpace(await tx.space.create({ data: { ...data, ...given }, include: withCounts }));
    });
  }

  @Handles(getSpace)
  async get({ params }: Input<typeof getSpace>, context: Context): Promise<Result<typeof getSpace>> {
    return toSpace(await findSpace(this.database.client, params.id, context));
  }

  @Handles(updateSpace)
  async update({ params, body }: Input<typeof updateSpace>, context: Context): Promise<Result<typeof updateSpace>> {
    const metadata = body.metadata as Prisma.InputJsonObject | undefined;
    return this.database.transaction(async (tx) => {
      const { id } = await findSpace(tx, params.id, context);
      const { name, description, color } = body;
      const data = pickGiven({ name, description, color, metadata });
      return toSpace(await orNotFound('Space', tx.space.update({ where: { id }, data, include: withCounts })));
    });
  }

  @Handles(deleteSpace)
  async delete({ params }: Input<typeof deleteSpace>, context: Context): Promise<null> {
    return this.database.transaction(async (tx) => {
      const { id } = await findSpace(tx, params.id, context);
      await orNotFound('Space', tx.space.delete({ where: { id } }));
      return null;
    });
  }
}
