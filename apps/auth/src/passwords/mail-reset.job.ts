import { Injectable } from '@nestjs/common';
import { mailPasswordReset } from '@millrace/contracts/auth/passwords';
import type { Payload } from '@millrace/contracts/kit/event';
import { pagePaths } from '@millrace/contracts/kit/page-paths';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { Database } from '@millrace/persistence/database';
import { AttemptLimits } from '../limits/attempt-limits.js';
import { resetMailLimit } from '../limits/limit.js';
import { MailQueue } from '../mail/mail-queue.js';
import { hashSecret, randomSecret } from '../secrets/random-token.js';
import { lockUser } from '../users/lock-user.js';

const RESET_LINK_VALID_MS = 3_600_000;

@Injectable()
export class MailResetJob {
  constructor(
    private readonly database: Database,
    private readonly limits: AttemptLimits,
    private readonly mail: MailQueue,
  ) {}

  /**
   * Mails a link, which replaces an earlier one. Does nothing for an unknown email, a disabled user, a user who signs in with
   * Google, and a user who received three such mails within the hour. The requester gets the same response in all cases.
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
        data: { tokenHash: hashSecret(token), userId: user.id, expiresAt: new Date(Date.now() + RESET_LINK_VALID_MS) },
      });
      const link = this.mail.linkTo(pagePaths.passwordReset, { token });
      this.mail.enqueue(tx, { template: 'password_reset', to: user.email, name: user.name, link });
    });
  }
}
