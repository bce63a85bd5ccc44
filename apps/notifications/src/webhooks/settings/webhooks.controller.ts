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
import { searchFilter, pageArgs } from '@millrace/persistence/list';
import { DATE_COLUMNS } from '@millrace/persistence/list-columns';
import { omitUndefined } from '@millrace/persistence/omit-undefined';
import { inVault } from '@millrace/persistence/tenancy';
import { NOTIFICATIONS_ENV, type NotificationsEnv } from '../../env.js';
import { giveUpWaiting } from '../deliveries/fail-abandoned-deliveries.js';
import { wakeWebhooks } from '../deliveries/wake-webhooks.js';
import { newSecret } from '../sending/sign-message.js';
import { changedFields } from './changed-fields.js';
import { noteChange } from './emit-webhook-change.js';
import { findWebhook, holdWebhook } from './find-webhook.js';
import { isAnother, refuseShownUrl } from './redacted-url.js';
import { refuseNowhere } from './require-filter-targets.js';
import { refuseTakingAway } from './require-pending-visible.js';
import { refuseUrl } from './require-reachable-url.js';
import { toWebhook } from './to-webhook.js';
import { WebhookSeal } from './webhook-cipher.js';
import { refuseUnseen, seenBy } from './webhook-visibility.js';

const MAX_IN_A_VAULT = 20;

@Controller()
export class WebhooksController {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
    private readonly seal: WebhookSeal,
    @Inject(NOTIFICATIONS_ENV) private readonly env: NotificationsEnv,
  ) {}

  @OperationHandler(listWebhooks)
  async list({ query }: Input<typeof listWebhooks>, { caller }: Context): Promise<Result<typeof listWebhooks>> {
    const where = { AND: [inVault(caller), seenBy(caller), searchFilter(query.search, ['name'])] };
    const { webhook } = this.database.client;
    const [rows, count] = await Promise.all([
      webhook.findMany({ where, ...pageArgs(query, DATE_COLUMNS) }),
      webhook.count({ where }),
    ]);
    return { results: rows.map((row) => toWebhook(row, this.seal)), count };
  }

  @OperationHandler(createWebhook)
  async create({ body }: Input<typeof createWebhook>, context: Context): Promise<Result<typeof createWebhook>> {
    const { caller } = context;
    const { url, workflow: workflowId = null, space: spaceId = null, ...given } = body;
    refuseUrl(url, this.env.EGRESS_ALLOW);
    refuseShownUrl(url, given.kind);
    refuseUnseen(caller, { events: given.events, spaceId });
    await refuseNowhere(this.rpc, body, context);
    const secret = given.kind === 'standard' ? newSecret() : null;
    return this.database.transaction(async (tx) => {
      // Two who make the last one at the same time take turns.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${caller.vault}, ${LOCK}::int))`;
      if ((await tx.webhook.count({ where: { ...inVault(caller), deletedAt: null } })) >= MAX_IN_A_VAULT)
        throw new ValidationError({ body: `would be more than the ${MAX_IN_A_VAULT} webhooks that a vault may have` });
      const row = await tx.webhook.create({
        data: {
          ...{ id: newId(), ...inVault(caller), ...given, workflowId, spaceId, author: caller.user },
          url: this.seal.encrypt(new URL(url).href),
          secret: secret === null ? null : this.seal.encrypt(secret),
        },
      });
      noteChange(tx, 'created', row, context);
      return { ...toWebhook(row, this.seal), ...(secret !== null && { secret }) };
    });
  }

  @OperationHandler(getWebhook)
  async get({ params }: Input<typeof getWebhook>, { caller }: Context): Promise<Result<typeof getWebhook>> {
    return toWebhook(await findWebhook(this.database.client, params.id, caller), this.seal);
  }

  @OperationHandler(updateWebhook)
  async update({ params, body }: Input<typeof updateWebhook>, context: Context): Promise<Result<typeof updateWebhook>> {
    const { workflow: workflowId, space: spaceId, url: givenUrl, ...given } = body;
    if (givenUrl !== undefined) refuseUrl(givenUrl, this.env.EGRESS_ALLOW);
    await this.refuseNowhere(params.id, body, context);
    return this.database.transaction(async (tx) => {
      const before = await holdWebhook(tx, params.id, context.caller);
      const url = givenUrl !== undefined && isAnother(givenUrl, before, this.seal) ? givenUrl : undefined;
      const changes = omitUndefined({ ...given, workflowId, spaceId });
      refuseUnseen(context.caller, { ...before, ...changes });
      if (url !== undefined) await refuseTakingAway(tx, before, context.caller);
      const row = await tx.webhook.update({
        where: { id: before.id, ...inVault(context.caller) },
        data: {
          ...changes,
          modifiedAt: new Date(),
          // Another address, or somebody who turns it on again, begins anew.
          ...(url !== undefined && { url: this.seal.encrypt(new URL(url).href), failingSince: null }),
          ...(given.enabled !== undefined && { disabledReason: null, failingSince: null }),
          ...(given.enabled === false && { round: { increment: 1 } }),
        },
      });
      if (given.enabled === false) await giveUpWaiting(tx, row.id);
      await wakeWebhooks(tx, [row.id]);
      noteChange(tx, 'changed', row, context, changedFields(before, row));
      return toWebhook(row, this.seal);
    });
  }

  /** Asks for what is set now; and for what was there already, where somebody turns it on again. */
  private async refuseNowhere(
    id: string,
    body: Request<typeof updateWebhook>['body'],
    context: Context,
  ): Promise<void> {
    const { spaceId, workflowId } = await findWebhook(this.database.client, id, context.caller);
    const before = body.enabled === true ? { space: spaceId, workflow: workflowId } : {};
    const given = omitUndefined({ space: body.space, workflow: body.workflow });
    await refuseNowhere(this.rpc, { ...before, ...given }, context);
  }

  @OperationHandler(deleteWebhook)
  async delete({ params }: Input<typeof deleteWebhook>, context: Context): Promise<null> {
    return this.database.transaction(async (tx) => {
      const row = await holdWebhook(tx, params.id, context.caller);
      // What it has sent may be more than one transaction should delete (`SweepWebhooks`).
      await tx.webhook.update({
        where: { id: row.id, ...inVault(context.caller) },
        data: { deletedAt: new Date(), enabled: false, round: { increment: 1 } },
      });
      await wakeWebhooks(tx, [row.id]);
      noteChange(tx, 'deleted', row, context);
      return null;
    });
  }
}

/** Keeps this lock apart from others on the same vault. */
const LOCK = 7_310_420;
