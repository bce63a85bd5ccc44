import { Controller } from '@nestjs/common';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { rotateWebhookSecret } from '@millrace/contracts/notifications/webhooks';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { inVault } from '@millrace/persistence/tenancy';
import { newSecret } from '../sending/sign-message.js';
import { emitWebhookChange } from './emit-webhook-change.js';
import { lockWebhook } from './find-webhook.js';
import { toWebhook } from './to-webhook.js';
import { WebhookCipher } from './webhook-cipher.js';

/** How long messages are also signed with the previous secret after a rotation. */
const FORMER_SECRET_VALID_MS = 24 * 3_600_000;

@Controller()
export class WebhookSecretsController {
  constructor(
    private readonly database: Database,
    private readonly cipher: WebhookCipher,
  ) {}

  @OperationHandler(rotateWebhookSecret)
  async rotate(
    { params }: Input<typeof rotateWebhookSecret>,
    context: Context,
  ): Promise<Result<typeof rotateWebhookSecret>> {
    const secret = newSecret();
    return this.database.transaction(async (tx) => {
      const { id, secret: formerSecret } = await lockWebhook(tx, params.id, context.caller);
      if (formerSecret === null)
        throw new ValidationError({ 'params.id': 'is a webhook of kind slack, which has no secret to rotate' });
      const now = Date.now();
      const row = await tx.webhook.update({
        where: { id, ...inVault(context.caller) },
        data: {
          ...{ secret: this.cipher.encrypt(secret), formerSecret, formerUntil: new Date(now + FORMER_SECRET_VALID_MS) },
          modifiedAt: new Date(now),
        },
      });
      emitWebhookChange(tx, 'secret_rotated', row, context);
      return { ...toWebhook(row, this.cipher), secret };
    });
  }
}
