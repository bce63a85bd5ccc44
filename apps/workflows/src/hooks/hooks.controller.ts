import { Controller } from '@nestjs/common';
import { NotFound } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { deleteHook, fireHook, getHook, rotateHook } from '@millrace/contracts/workflows/hooks';
import type { Context } from '@millrace/messaging/context';
import { Handles } from '@millrace/messaging/handles';
import { Database } from '@millrace/persistence/database';
import type { Hook } from '@millrace/persistence/generated/client';
import { orNotFound } from '@millrace/persistence/or-not-found';
import { inVault } from '@millrace/persistence/tenancy';
import { findWorkflow } from '../workflows/find-workflow.js';
import { lockWorkflow } from '../workflows/lock-workflow.js';
import { hashHookToken, newHookToken } from './hook-token.js';

@Controller()
export class HooksController {
  constructor(private readonly database: Database) {}

  @Handles(getHook)
  async get({ params }: Input<typeof getHook>, context: Context): Promise<Result<typeof getHook>> {
    const { client } = this.database;
    const { id: workflowId } = await findWorkflow(client, params.id, context);
    const hook = await client.hook.findFirst({ where: { workflowId, ...inVault(context.caller) } });
    if (!hook) throw new NotFound('Webhook');
    return toHook(hook);
  }

  @Handles(rotateHook)
  async rotate({ params }: Input<typeof rotateHook>, context: Context): Promise<Result<typeof rotateHook>> {
    const { token, prefix } = newHookToken();
    const { user: author } = context.caller;
    const url = new URL(`/api${fireHook.path.replace('{token}', token)}`, context.envelope.client?.origin).href;
    return this.database.transaction(async (tx) => {
      const { id: workflowId } = await findWorkflow(tx, params.id, context);
      await lockWorkflow(tx, workflowId);
      const row = { tokenHash: hashHookToken(token), prefix, author, createdAt: new Date(), lastUsedAt: null };
      const hook = await orNotFound(
        'Workflow',
        tx.hook.upsert({
          where: { workflowId, ...inVault(context.caller) },
          create: { workflowId, ...inVault(context.caller), ...row },
          update: row,
        }),
      );
      return { ...toHook(hook), token, url };
    });
  }

  @Handles(deleteHook)
  async delete({ params }: Input<typeof deleteHook>, context: Context): Promise<null> {
    return this.database.transaction(async (tx) => {
      const { id: workflowId } = await findWorkflow(tx, params.id, context);
      const { count } = await tx.hook.deleteMany({ where: { workflowId, ...inVault(context.caller) } });
      if (count === 0) throw new NotFound('Webhook');
      return null;
    });
  }
}

const toHook = ({ prefix, author, createdAt, lastUsedAt }: Hook): Result<typeof getHook> => ({
  prefix,
  author,
  created_date: createdAt.toISOString(),
  ...(lastUsedAt && { last_used_date: lastUsedAt.toISOString() }),
});
