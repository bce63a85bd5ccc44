import { Controller } from '@nestjs/common';
import { findContacts } from '@millrace/contracts/auth/contacts';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { findCallersIn } from '../callers/find-caller.js';

@Controller()
export class ContactsController {
  constructor(private readonly database: Database) {}

  @OperationHandler(findContacts)
  async find({ body }: Input<typeof findContacts>): Promise<Result<typeof findContacts>> {
    const { client } = this.database;
    const callers = await findCallersIn(client, body.vault, body.users);
    const users = await client.user.findMany({
      where: { id: { in: callers.map(({ user }) => user) } },
      select: { id: true, email: true, name: true },
    });
    const spacesOf = new Map(callers.map(({ user, spaces }) => [user, spaces]));
    return {
      contacts: users.map(({ id, email, name }) => ({ user: id, email, name, spaces: spacesOf.get(id) ?? {} })),
    };
  }
}
