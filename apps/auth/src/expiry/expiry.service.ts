import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { deleteInBatches, isOlderThanDays } from '@millrace/persistence/delete-in-batches';
import { Prisma } from '@millrace/persistence/generated/client';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import { deleteAdminAudit } from '../admin/audit/delete-admin-audit.js';
import { deleteAuditEntries } from '../audit/delete-audit-entries.js';
import { AUTH_ENV, type AuthEnv } from '../env.js';
import { MAX_WINDOW_MS } from '../limits/limit.js';

const INTERVAL_MS = 5 * 60_000;
const DAY_MS = 86_400_000;
/** How long an expired session is kept, so that its refresh token is reported as expired instead of unknown. */
const EXPIRED_SESSION_DAYS = 30;
/** How long invitations are listed after their end. The audit log keeps who invited whom. */
const EXPIRED_INVITATION_DAYS = 90;
/** Much longer than any event is stored, so that no event about the space arrives later. */
const DELETED_SPACE_DAYS = 365;
const ADMIN_TASK_DAYS = 90;
/** How long join tokens are listed after they have expired. */
const EXPIRED_JOIN_TOKEN_DAYS = 30;

/**
 * Deletes expired records: attempts outside all limit windows, links, codes, long expired sessions and invitations, and,
 * if that is set, old entries of the audit log. It also deletes expired admin and join tokens, old admin tasks and old
 * acts of administrators.
 */
@Injectable()
export class ExpiryService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop = new IntervalLoop('Deletion of expired records', INTERVAL_MS, () => this.deleteExpired());

  constructor(
    private readonly database: Database,
    @Inject(AUTH_ENV) private readonly env: Pick<AuthEnv, 'AUDIT_RETENTION_DAYS' | 'ADMIN_AUDIT_RETENTION_DAYS'>,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async deleteExpired(): Promise<void> {
    const { client } = this.database;
    for (const table of ['device_grant', 'password_reset', 'sign_in_ticket', 'admin_token']) {
      await deleteInBatches(client, `auth.${table}`, isOlderThanDays('expires_at', 0));
    }
    await deleteInBatches(client, 'auth.counted_try', isOlderThanDays('at', MAX_WINDOW_MS / DAY_MS));
    await deleteInBatches(client, 'auth.session', isOlderThanDays('expires_at', EXPIRED_SESSION_DAYS));
    await deleteInBatches(client, 'auth.invitation', isOlderThanDays('expires_at', EXPIRED_INVITATION_DAYS));
    const isLongDeleted = Prisma.sql`deleted AND ${isOlderThanDays('deleted_at', DELETED_SPACE_DAYS)}`;
    await deleteInBatches(client, 'auth.known_space', isLongDeleted);
    await deleteInBatches(client, 'auth.admin_task', isOlderThanDays('created_at', ADMIN_TASK_DAYS));
    await deleteInBatches(client, 'auth.join_token', isOlderThanDays('expires_at', EXPIRED_JOIN_TOKEN_DAYS));
    const { AUDIT_RETENTION_DAYS: days, ADMIN_AUDIT_RETENTION_DAYS: adminDays } = this.env;
    while ((await deleteAdminAudit(this.database, adminDays)) > 0);
    if (days !== undefined) while ((await deleteAuditEntries(this.database, days)) > 0);
  }

  onApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }
}
