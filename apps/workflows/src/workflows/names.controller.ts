import { Controller } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { findNames } from '@millrace/contracts/workflows/workflows';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';

/** Names of workflows and spaces, for services that store only their ids. */
@Controller()
export class NamesController {
  constructor(private readonly database: Database) {}

  @OperationHandler(findNames)
  async find({ body }: Input<typeof findNames>): Promise<Result<typeof findNames>> {
    const args = { where: { vaultId: body.vault, id: { in: body.ids } }, select: { id: true, name: true } } as const;
    const { client } = this.database;
    const [workflows, spaces] = await Promise.all([client.workflow.findMany(args), client.space.findMany(args)]);
    return { names: Object.fromEntries([...workflows, ...spaces].map(({ id, name }) => [id, name])) };
  }
}
