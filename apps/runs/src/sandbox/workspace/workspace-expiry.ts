import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { deleteInBatches, isOlderThanDays } from '@millrace/persistence/delete-in-batches';
import { Prisma } from '@millrace/persistence/generated/client';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';

const INTERVAL_MS = 60 * 60_000;
const RETENTION_DAYS = 90;
/** Workspaces deleted in one transaction; the next iteration deletes the rest. */
const MAX_WORKSPACES = 500;

/** The bytes that a user stored count for one day. */
const INTAKE_DAYS = 2;

/**
 * Deletes workspaces that have not been used for a long time: agents leave a workspace for each session and never delete it.
 * A workspace that is used has the sessions of the same time.
 */
@Injectable()
export class WorkspaceExpiry implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop = new IntervalLoop('Workspace expiry', INTERVAL_MS, () => this.deleteUnused());

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async deleteUnused(): Promise<void> {
    const { client } = this.database;
    await this.deleteWorkspaces();
    const hasEnded = Prisma.sql`status NOT IN ('starting', 'running')`;
    await deleteInBatches(
      client,
      'runs.sandbox_session',
      Prisma.sql`${hasEnded} AND ${isOlderThanDays('last_active_at', RETENTION_DAYS)}`,
    );
    await deleteInBatches(client, 'runs.sandbox_intake', isOlderThanDays('day', INTAKE_DAYS));
  }

  private async deleteWorkspaces(): Promise<void> {
    await this.database.client.$executeRaw`
      DELETE FROM runs.sandbox_workspace WHERE id = ANY(ARRAY(
        SELECT w.id FROM runs.sandbox_workspace w
        WHERE w.modified_at < now() - ${RETENTION_DAYS}::int * interval '1 day' AND NOT EXISTS (
          SELECT 1 FROM runs.sandbox_session s WHERE s.workspace_id = w.id AND (s.status IN ('starting', 'running')
            OR s.last_active_at > now() - ${RETENTION_DAYS}::int * interval '1 day'))
        LIMIT ${MAX_WORKSPACES} FOR UPDATE SKIP LOCKED))`;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }
}
