import { Injectable } from '@nestjs/common';
import type { Transaction } from '@millrace/persistence/database';
import type { User } from '@millrace/persistence/generated/client';
import { writeAuditEntry, type NewAuditEntry } from '../audit/write-audit-entry.js';
import { MailQueue } from '../mail/mail-queue.js';
import { SessionsService } from '../sessions/sessions.service.js';

@Injectable()
export class PasswordChanger {
  constructor(
    private readonly sessions: SessionsService,
    private readonly mail: MailQueue,
  ) {}

  /** Sets a user's password, ends all sessions and reset links, and notifies the user by mail. */
  async set(tx: Transaction, user: User, passwordHash: string, entry: NewAuditEntry): Promise<void> {
    await tx.user.update({ where: { id: user.id }, data: { passwordHash } });
    await tx.passwordReset.deleteMany({ where: { userId: user.id } });
    await this.sessions.endAll(tx, user.id);
    await writeAuditEntry(tx, { ...entry, target: { type: 'user', id: user.id, name: user.email } });
    this.mail.enqueue(tx, { template: 'account_changed', to: user.email, name: user.name, what: 'password_changed' });
  }
}
