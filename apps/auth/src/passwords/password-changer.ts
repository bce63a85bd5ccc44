import { Injectable } from '@nestjs/common';
import type { Transaction } from '@millrace/persistence/database';
import type { User } from '@millrace/persistence/generated/client';
import { noteAudit, type AuditNote } from '../audit/write-audit-entry.js';
import { OrderMail } from '../mail/mail-queue.js';
import { SessionsService } from '../sessions/sessions.service.js';

@Injectable()
export class SetPassword {
  constructor(
    private readonly sessions: SessionsService,
    private readonly mail: OrderMail,
  ) {}

  /** Gives a user another password: whoever is signed in is signed out, links for another one end, and the user is told. */
  async set(tx: Transaction, user: User, passwordHash: string, note: AuditNote): Promise<void> {
    await tx.user.update({ where: { id: user.id }, data: { passwordHash } });
    await tx.passwordReset.deleteMany({ where: { userId: user.id } });
    await this.sessions.endAll(tx, user.id);
    await noteAudit(tx, { ...note, target: { type: 'user', id: user.id, name: user.email } });
    this.mail.order(tx, { template: 'account_changed', to: user.email, name: user.name, what: 'password_changed' });
  }
}
