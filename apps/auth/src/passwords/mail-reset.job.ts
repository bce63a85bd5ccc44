import { Injectable } from '@nestjs/common';
import { mailPasswordReset } from '@millrace/contracts/auth/passwords';
import type { Payload } from '@millrace/contracts/kit/event';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { Database } from '@millrace/persistence/database';
import { TryLimits } from '../limits/attempt-limits.js';
import { resetMailLimit } from '../limits/limit.js';
import { OrderMail } from '../mail/mail-queue.js';
import { hashSecret } from '../secrets/hash-secret.js';
import { randomSecret } from '../secrets/random-token.js';
import { lockUser } from '../users/lock-user.js';

const GOOD_MS = 3_600_000;

@Injectable()
export class MailReset {
  constructor(
    private readonly database: Database,
    private readonly limits: TryLimits,
    private readonly mail: OrderMail,
  ) {}

  /**
   * Mails a link, which takes the place of a former one. Nothing happens for an email that is nobody's, a disabled user,
   * one who signs in with Google, and one who had three such mails within the hour: whoever asks is told nothing anyway.
   */
  @JobProcessor(mailPasswordReset)
  async send({ email }: Payload<typeof mailPasswordReset>): Promise<void> {
    const found = await this.database.client.user.findUnique({ where: { email } });
    if (!found) return;
    await this.database.transaction(async (tx) => {
      const user = await lockUser(tx, found.id);
      if (!user || user.passwordHash === null) return;
      if (!(await this.limits.admitIn(tx, resetMailLimit(user.id)))) return;
      const token = randomSecret();
      await tx.passwordReset.deleteMany({ where: { userId: user.id } });
      await tx.passwordReset.create({
        data: { tokenHash: hashSecret(token), userId: user.id, expiresAt: new Date(Date.now() + GOOD_MS) },
      });
      const link = this.mail.linkTo('/password-reset', { token });
      this.mail.order(tx, { template: 'password_reset', to: user.email, name: user.name, link });
    });
  }
}
