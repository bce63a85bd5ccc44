import { Controller } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { nameThings } from '@millrace/contracts/workflows/workflows';
import { Handles } from '@millrace/messaging/handles';
import { Database } from '@millrace/persistence/database';

/** Names of what others only know by its id. */
@Controller()
export class NameThingsController {
  constructor(private readonly database: Database) {}

  @Handles(nameThings)
  async find({ body }: Input<typeof nameThings>): Promise<Result<typeof nameThings>> {
    const wanted = { where: { vaultId: body.vault, id: { in: body.ids } }, select: { id: true, name: true } } as const;
    const { client } = this.database;
    const [workflows, spaces] = await Promise.all([client.workflow.findMany(wanted), client.space.findMany(wanted)]);
    return { names: Object.fromEntries([...workflows, ...spaces].map(({ id, name }) => [id, name])) };
  }
}
