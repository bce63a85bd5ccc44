import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { hookSettings } from '@millrace/contracts/workflows/hook-settings';
import { deleteHook, fireHook, getHook, rotateHook, updateHook } from '@millrace/contracts/workflows/hooks';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { type Hook, Prisma } from '@millrace/persistence/generated/client';
import { orNotFound } from '@millrace/persistence/or-not-found';
import { inVault } from '@millrace/persistence/tenancy';
import { planLatest } from '../running/check-startable.js';
import { DataKeys } from '../secrets/keys/data-keys.js';
import { findWorkflow } from '../workflows/find-workflow.js';
import { lockWorkflow } from '../workflows/lock-workflow.js';
import { publishTriggerChange } from '../workflows/publish-trigger-change.js';
import { checkPayloadInput } from './check-payload-input.js';
import { hashHookToken, newHookToken, encryptHookSecret, type HookIdentity } from './hook-secret.js';
import type { Signature } from './verify-signature.js';

@Controller()
export class HooksController {
  constructor(
    private readonly database: Database,
    private readonly keys: DataKeys,
  ) {}

  @OperationHandler(getHook)
  async get({ params }: Input<typeof getHook>, context: Context): Promise<Result<typeof getHook>> {
    const { client } = this.database;
    const { id: workflowId } = await findWorkflow(client, params.id, context);
    const hook = await client.hook.findFirst({ where: { workflowId, ...inVault(context.caller) } });
    if (!hook) throw new NotFoundError(`The hook of workflow ${workflowId}`);
    return toHook(hook);
  }

  @OperationHandler(rotateHook)
  async rotate({ params, body }: Input<typeof rotateHook>, context: Context): Promise<Result<typeof rotateHook>> {
    const { token, prefix } = newHookToken();
    const { user: author } = context.caller;
    const url = new URL(`/api${fireHook.path.replace('{token}', token)}`, context.envelope.client?.origin).href;
    await this.checkPayloadAs(params.id, body.payload_as, context);
    return this.database.transaction(async (tx) => {
      const workflow = await findWorkflow(tx, params.id, context);
      const { id: workflowId } = workflow;
      await lockWorkflow(tx, workflowId);
      const isNew = (await tx.hook.count({ where: { workflowId } })) === 0;
      const identity = { workflowId, ...inVault(context.caller) };
      const settings = await toHookColumns(tx, this.keys, body, identity);
      const row = { tokenHash: hashHookToken(token), prefix, author, createdAt: new Date(), lastUsedAt: null };
      const hook = await orNotFound(
        `Workflow ${workflowId}`,
        tx.hook.upsert({
          where: { workflowId, ...inVault(context.caller) },
          create: { ...identity, ...row, ...settings },
          update: { ...row, ...settings },
        }),
      );
      publishTriggerChange(tx, isNew ? 'hook.created' : 'hook.token_rotated', workflow, context, listSetFields(body));
      return { ...toHook(hook), token, url };
    });
  }

  @OperationHandler(updateHook)
  async update({ params, body }: Input<typeof updateHook>, context: Context): Promise<Result<typeof updateHook>> {
    await this.checkPayloadAs(params.id, body.payload_as, context);
    return this.database.transaction(async (tx) => {
      const workflow = await findWorkflow(tx, params.id, context);
      const where = { workflowId: workflow.id, ...inVault(context.caller) };
      const data = await toHookColumns(tx, this.keys, body, where);
      const hook = await orNotFound(`The hook of workflow ${workflow.id}`, tx.hook.update({ where, data }));
      const fields = listSetFields(body);
      if (fields.length > 0) publishTriggerChange(tx, 'hook.changed', workflow, context, fields);
      return toHook(hook);
    });
  }

  @OperationHandler(deleteHook)
  async delete({ params }: Input<typeof deleteHook>, context: Context): Promise<null> {
    return this.database.transaction(async (tx) => {
      const workflow = await findWorkflow(tx, params.id, context);
      const { count } = await tx.hook.deleteMany({ where: { workflowId: workflow.id, ...inVault(context.caller) } });
      if (count === 0) throw new NotFoundError(`The hook of workflow ${workflow.id}`);
      publishTriggerChange(tx, 'hook.deleted', workflow, context);
      return null;
    });
  }

  /** Runs before any lock, because planning a large workflow takes a moment. */
  private async checkPayloadAs(id: string, payloadAs: string | null | undefined, context: Context): Promise<void> {
    if (typeof payloadAs !== 'string') return;
    const { client } = this.database;
    const workflow = await findWorkflow(client, id, context);
    checkPayloadInput(await planLatest(client, context.caller.vault, workflow), payloadAs);
  }
}

/** The names of the settings that a request sets. */
const listSetFields = (body: Input<typeof updateHook>['body']): string[] =>
  Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : [name]));

const toHook = ({ prefix, author, createdAt, lastUsedAt, payloadAs, signature }: Hook): Result<typeof getHook> => ({
  prefix,
  author,
  ...(payloadAs !== null && { payload_as: payloadAs }),
  ...(signature !== null && { signature: signature as unknown as Signature }),
  created_date: createdAt.toISOString(),
  ...(lastUsedAt && { last_used_date: lastUsedAt.toISOString() }),
});

type HookSettings = z.output<typeof hookSettings>;
type Columns = Pick<Prisma.HookUncheckedUpdateInput, 'payloadAs' | 'signature' | 'signatureSecret'>;

/** The columns that settings change. The secret is encrypted with the vault's data key. */
async function toHookColumns(
  tx: Transaction,
  keys: DataKeys,
  { payload_as, signature }: HookSettings,
  hook: HookIdentity,
): Promise<Columns & { payloadAs?: string | null; signatureSecret?: Uint8Array<ArrayBuffer> | null }> {
  const payload = payload_as === undefined ? {} : { payloadAs: payload_as };
  if (signature === undefined) return payload;
  if (signature === null) return { ...payload, signature: Prisma.DbNull, signatureSecret: null };
  const { secret, ...settings } = signature;
  const key = await keys.acquire(tx, hook.vaultId);
  return { ...payload, signature: settings, signatureSecret: encryptHookSecret(key, secret, hook) };
}
