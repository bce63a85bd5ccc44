import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import { deleteExpired } from './delete-expired.js';
import { findLimitedVaults, findWorkflows, type KeptWorkflow } from './find-retention.js';

/** Injection token: minutes after its end for which a run is kept in any case. */
export const RETENTION_GRACE_MINUTES = Symbol('RETENTION_GRACE_MINUTES');

const INTERVAL_MS = 60_000;
/** Vaults or workflows per statement, and deleted runs per transaction. */
const BATCH_SIZE = 200;
/** Much longer than an event is stored, so no earlier event about the scope can arrive after its row is deleted. */
const UNSET_RETENTION_DAYS = 30;
/** Much longer than the start of a run takes, so that a workflow which is deleted meanwhile is found. */
const DELETED_WORKFLOW_RETENTION_DAYS = 1;

/**
 * Deletes runs that are older than their vault or space allows. Several copies of the service may do this at the same time:
 * each skips the runs that another one has locked.
 */
@Injectable()
export class RunRetentionService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(RunRetentionService.name);
  private readonly loop = new IntervalLoop('Retention of runs', INTERVAL_MS, () => this.apply());
  private isClosing = false;

  constructor(
    private readonly database: Database,
    @Inject(RETENTION_GRACE_MINUTES) private readonly graceMinutes: number,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start({ immediately: true });
  }

  /** Deletes all runs that are beyond the limits now. */
  async apply(): Promise<void> {
    let vaults: string[] = [];
    do {
      vaults = await findLimitedVaults(this.database.client, vaults.at(-1) ?? null, BATCH_SIZE);
      for (const vault of vaults) await this.applyToVault(vault);
    } while (vaults.length === BATCH_SIZE && !this.isClosing);
    await this.database.client.$executeRaw`
      DELETE FROM runs.retention_policy
      WHERE unset AND changed_at < now() - ${UNSET_RETENTION_DAYS}::int * interval '1 day'`;
    await this.database.client.$executeRaw`
      DELETE FROM runs.deleted_workflow d
      WHERE deleted_at < now() - ${DELETED_WORKFLOW_RETENTION_DAYS}::int * interval '1 day'
        AND NOT EXISTS (SELECT FROM runs.run r WHERE r.workflow_id = d.workflow_id)`;
  }

  private async applyToVault(vault: string): Promise<void> {
    let page: KeptWorkflow[] = [];
    do {
      page = await findWorkflows(this.database.client, vault, page.at(-1) ?? null, BATCH_SIZE);
      for (const workflow of page) await this.applyToWorkflow(workflow);
    } while (page.length === BATCH_SIZE && !this.isClosing);
  }

  private async applyToWorkflow(workflow: KeptWorkflow): Promise<void> {
    const options = { graceMinutes: this.graceMinutes, limit: BATCH_SIZE };
    let total = 0;
    for (let deleted = BATCH_SIZE; deleted === BATCH_SIZE && !this.isClosing; total += deleted) {
      deleted = await deleteExpired(this.database, workflow, options);
    }
    if (total > 0) this.logger.log({ message: 'Retention deleted runs', workflow: workflow.workflow, runs: total });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isClosing = true;
    await this.loop.stop();
  }
}
