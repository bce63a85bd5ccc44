import { Controller } from '@nestjs/common';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { rotateWebhookSecret } from '@millrace/contracts/notifications/webhooks';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { inVault } from '@millrace/persistence/tenancy';
import { newSecret } from '../sending/sign-message.js';
import { noteChange } from './emit-webhook-change.js';
import { holdWebhook } from './find-webhook.js';
import { toWebhook } from './to-webhook.js';
import { WebhookSeal } from './webhook-cipher.js';

/** For so long receivers may go on checking with the former secret. */
const OVERLAP_MS = 24 * 3_600_000;

@Controller()
export class WebhookSecretsController {
  constructor(
    private readonly database: Database,
    private readonly seal: WebhookSeal,
  ) {}

  @OperationHandler(rotateWebhookSecret)
  async rotate(
    { params }: Input<typeof rotateWebhookSecret>,
    context: Context,
  ): Promise<Result<typeof rotateWebhookSecret>> {
    const secret = newSecret();
    return this.database.transaction(async (tx) => {
      const { id, secret: formerSecret } = await holdWebhook(tx, params.id, context.caller);
      if (formerSecret === null) throw new ValidationError({ 'params.id': 'is of kind slack, which has no secret' });
      const now = Date.now();
      const row = await tx.webhook.update({
        where: { id, ...inVault(context.caller) },
        data: {
          ...{ secret: this.seal.encrypt(secret), formerSecret, formerUntil: new Date(now + OVERLAP_MS) },
          modifiedAt: new Date(now),
        },
      });
      noteChange(tx, 'secret_rotated', row, context);
      return { ...toWebhook(row, this.seal), secret };
    });
  }
}
