import { Controller, Inject } from '@nestjs/common';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Request, Result } from '@millrace/contracts/kit/operation';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  updateWebhook,
} from '@millrace/contracts/notifications/webhooks';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { DATE_COLUMNS, pageArgs, searchFilter } from '@millrace/persistence/list';
import { omitUndefined } from '@millrace/persistence/omit-undefined';
import { inVault } from '@millrace/persistence/tenancy';
import { NOTIFICATIONS_ENV, type NotificationsEnv } from '../../env.js';
import { failAbandonedDeliveries } from '../deliveries/fail-abandoned-deliveries.js';
import { wakeWebhooks } from '../deliveries/wake-webhooks.js';
import { newSecret } from '../sending/sign-message.js';
import { changedFields, emitWebhookChange } from './emit-webhook-change.js';
import { findWebhook, lockWebhook } from './find-webhook.js';
import { requireFilterTargets } from './require-filter-targets.js';
import { requireReachableUrl } from './require-reachable-url.js';
import { isNewUrl, rejectRedactedUrl, toWebhook } from './to-webhook.js';
import { WebhookCipher } from './webhook-cipher.js';
import { requirePendingVisible, requireVisibleEvents, webhooksVisibleTo } from './webhook-visibility.js';

const MAX_WEBHOOKS_PER_VAULT = 20;

@Controller()
export class WebhooksController {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
    private readonly cipher: WebhookCipher,
    @Inject(NOTIFICATIONS_ENV) private readonly env: NotificationsEnv,
  ) {}

  @OperationHandler(listWebhooks)
  async list({ query }: Input<typeof listWebhooks>, { caller }: Context): Promise<Result<typeof listWebhooks>> {
    const where = { AND: [inVault(caller), webhooksVisibleTo(caller), searchFilter(query.search, ['name'])] };
    const { webhook } = this.database.client;
    const [rows, count] = await Promise.all([
      webhook.findMany({ where, ...pageArgs(query, DATE_COLUMNS) }),
      webhook.count({ where }),
    ]);
    return { results: rows.map((row) => toWebhook(row, this.cipher)), count };
  }

  @OperationHandler(createWebhook)
  async create({ body }: Input<typeof createWebhook>, context: Context): Promise<Result<typeof createWebhook>> {
    const { caller } = context;
    const { url, workflow: workflowId = null, space: spaceId = null, ...rest } = body;
    const { dataset: datasetId = null, view: viewId = null, ...fields } = rest;
    requireReachableUrl(url, this.env.EGRESS_ALLOW);
    rejectRedactedUrl(url, fields.kind);
    requireVisibleEvents(caller, { events: fields.events, spaceId });
    await requireFilterTargets(this.rpc, body, context);
    const secret = fields.kind === 'standard' ? newSecret() : null;
    return this.database.transaction(async (tx) => {
      // Serializes creations per vault, so that concurrent ones do not exceed the limit.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${caller.vault}, ${CREATE_LOCK}::int))`;
      if ((await tx.webhook.count({ where: { ...inVault(caller), deletedAt: null } })) >= MAX_WEBHOOKS_PER_VAULT)
        throw new ValidationError({
          body: `would exceed the maximum of ${MAX_WEBHOOKS_PER_VAULT} webhooks per vault; delete one first`,
        });
      const row = await tx.webhook.create({
        data: {
          ...{ id: newId(), ...inVault(caller), ...fields, workflowId, spaceId, datasetId, viewId },
          author: caller.user,
          url: this.cipher.encrypt(new URL(url).href),
          secret: secret === null ? null : this.cipher.encrypt(secret),
        },
      });
      emitWebhookChange(tx, 'created', row, context);
      return { ...toWebhook(row, this.cipher), ...(secret !== null && { secret }) };
    });
  }

  @OperationHandler(getWebhook)
  async get({ params }: Input<typeof getWebhook>, { caller }: Context): Promise<Result<typeof getWebhook>> {
    return toWebhook(await findWebhook(this.database.client, params.id, caller), this.cipher);
  }

  @OperationHandler(updateWebhook)
  async update({ params, body }: Input<typeof updateWebhook>, context: Context): Promise<Result<typeof updateWebhook>> {
    const { workflow: workflowId, space: spaceId, dataset: datasetId, view: viewId, url: newUrl, ...fields } = body;
    if (newUrl !== undefined) requireReachableUrl(newUrl, this.env.EGRESS_ALLOW);
    await this.requireNewFilterTargets(params.id, body, context);
    return this.database.transaction(async (tx) => {
      const before = await lockWebhook(tx, params.id, context.caller);
      const url = newUrl !== undefined && isNewUrl(newUrl, before, this.cipher) ? newUrl : undefined;
      const changes = omitUndefined({ ...fields, workflowId, spaceId, datasetId, viewId });
      requireVisibleEvents(context.caller, { ...before, ...changes });
      if (url !== undefined) await requirePendingVisible(tx, before, context.caller);
      const row = await tx.webhook.update({
        where: { id: before.id, ...inVault(context.caller) },
        data: {
          ...changes,
          modifiedAt: new Date(),
          // A new URL, or enabling the webhook again, resets the failure period.
          ...(url !== undefined && { url: this.cipher.encrypt(new URL(url).href), failingSince: null }),
          ...(fields.enabled !== undefined && { disabledReason: null, failingSince: null }),
          ...(fields.enabled === false && { round: { increment: 1 } }),
        },
      });
      if (fields.enabled === false) await failAbandonedDeliveries(tx, row.id);
      await wakeWebhooks(tx, [row.id]);
      emitWebhookChange(tx, 'changed', row, context, changedFields(before, row));
      return toWebhook(row, this.cipher);
    });
  }

  /** Checks the filter that the request sets; if it enables the webhook, also the existing filter. */
  private async requireNewFilterTargets(
    id: string,
    body: Request<typeof updateWebhook>['body'],
    context: Context,
  ): Promise<void> {
    const stored = await findWebhook(this.database.client, id, context.caller);
    const { spaceId: space, workflowId: workflow, datasetId: dataset, viewId: view } = stored;
    const changed = omitUndefined({
      ...{ space: body.space, workflow: body.workflow },
      ...{ dataset: body.dataset, view: body.view },
    });
    const changesTable = changed.dataset !== undefined || changed.view !== undefined;
    const before = body.enabled === true ? { space, workflow, dataset, view } : changesTable ? { dataset, view } : {};
    await requireFilterTargets(this.rpc, { ...before, ...changed }, context);
  }

  @OperationHandler(deleteWebhook)
  async delete({ params }: Input<typeof deleteWebhook>, context: Context): Promise<null> {
    return this.database.transaction(async (tx) => {
      const row = await lockWebhook(tx, params.id, context.caller);
      // Its deliveries may be too many to delete in one transaction; `WebhookCleanupService` deletes them.
      await tx.webhook.update({
        where: { id: row.id, ...inVault(context.caller) },
        data: { deletedAt: new Date(), enabled: false, round: { increment: 1 } },
      });
      await wakeWebhooks(tx, [row.id]);
      emitWebhookChange(tx, 'deleted', row, context);
      return null;
    });
  }
}

/** Distinguishes this advisory lock from others on the same vault. */
const CREATE_LOCK = 7_310_420;
