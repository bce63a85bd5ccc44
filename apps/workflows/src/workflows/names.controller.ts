import { Controller } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { findNames } from '@millrace/contracts/workflows/workflows';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';

/** Names of what others only know by its id. */
@Controller()
export class NamesController {
  constructor(private readonly database: Database) {}

  @OperationHandler(findNames)
  async find({ body }: Input<typeof findNames>): Promise<Result<typeof findNames>> {
    const wanted = { where: { vaultId: body.vault, id: { in: body.ids } }, select: { id: true, name: true } } as const;
    const { client } = this.database;
    const [workflows, spaces] = await Promise.all([client.workflow.findMany(wanted), client.space.findMany(wanted)]);
    return { names: Object.fromEntries([...workflows, ...spaces].map(({ id, name }) => [id, name])) };
  }
}
