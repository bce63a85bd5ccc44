import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/interval-loop';

const EVERY_MS = 60 * 60_000;
const KEEP_DAYS = 90;
/** In one transaction; the others wait for the next turn. */
const MOST = 500;

/** Forgets workspaces that nobody has used for a long time: agent sessions come and go, and nobody deletes after them. */
@Injectable()
export class WorkspaceExpiry implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly repeater = new IntervalLoop('Workspace expiry', EVERY_MS, () => this.deleteUnused());

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.repeater.start();
  }

  /** @returns how many went */
  deleteUnused(): Promise<number> {
    return this.database.client.$executeRaw`
      DELETE FROM runs.sandbox_workspace WHERE id = ANY(ARRAY(
        SELECT w.id FROM runs.sandbox_workspace w
        WHERE w.modified_at < now() - ${KEEP_DAYS}::int * interval '1 day' AND NOT EXISTS (
          SELECT 1 FROM runs.sandbox_session s WHERE s.workspace_id = w.id AND (s.status IN ('starting', 'running')
            OR s.last_active_at > now() - ${KEEP_DAYS}::int * interval '1 day'))
        LIMIT ${MOST} FOR UPDATE SKIP LOCKED))`;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.repeater.stop();
  }
}
