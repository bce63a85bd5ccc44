import { Inject, Injectable, Logger } from '@nestjs/common';
import type { ExportFormat } from '@millrace/contracts/datasets/exports';
import { writeExport } from '@millrace/contracts/datasets/jobs';
import type { Payload } from '@millrace/contracts/kit/event';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { Database } from '@millrace/persistence/database';
import { storageArea } from '@millrace/storage/settings/storage-env';
import { DATASETS_ENV, type DatasetsEnv } from '../../env.js';
import { countFailedExport, measureExport } from '../../metrics/table-metrics.js';
import { enqueueNextExports } from '../export-queue.js';
import type { ExportTask } from '../writing/export-task.js';
import { beginAttempt, type ExportAttempt, AttemptSupersededError } from './export-attempt.js';
import { ExportThreads } from './export-threads.js';
import { explainFailure, TableDeletedError, watchAttempt } from './watch-attempt.js';

/** Attempts of one export, including those that ended because the service stopped. */
const MAX_ATTEMPTS = 8;

@Injectable()
export class WriteExportJob {
  private readonly logger = new Logger(WriteExportJob.name);

  constructor(
    private readonly database: Database,
    private readonly threads: ExportThreads,
    @Inject(DATASETS_ENV) private readonly env: DatasetsEnv,
  ) {}

  @JobProcessor(writeExport)
  async write({ export: id }: Payload<typeof writeExport>): Promise<void> {
    const attempt = await beginAttempt(this.database, BigInt(id));
    if (!attempt) return;
    try {
      const task = this.createTask(attempt);
      const { object, rows } = await watchAttempt(attempt, (watcher) => this.threads.write(task, watcher));
      await attempt.complete(object, rows);
      measureExport(attempt.record);
    } catch (error) {
      await this.handleFailure(attempt, error);
    } finally {
      await enqueueNextExports(this.database, attempt.record.vaultId);
    }
  }

  /**
   * `now` is the time of the request, so that each attempt selects the same rows. The columns are those at the time of
   * reading.
   */
  private createTask({ record }: ExportAttempt): ExportTask {
    const { q, select, order, datasetId, createdAt } = record;
    return {
      database: this.database.server,
      storage: storageArea(this.env, 'exports'),
      format: record.format as ExportFormat,
      dataset: datasetId,
      selection: { q, select, order },
      now: createdAt,
    };
  }

  /** @throws the error if another attempt may succeed */
  private async handleFailure(attempt: ExportAttempt, error: unknown): Promise<void> {
    if (error instanceof AttemptSupersededError) return;
    const { id, datasetId, attempt: attempts } = attempt.record;
    const tables = await this.database.client.dataset.count({ where: { id: datasetId } });
    const problem = explainFailure(tables === 0 ? new TableDeletedError() : error);
    if (problem !== null) return this.fail(attempt, problem);
    if (attempts < MAX_ATTEMPTS) {
      await attempt.release();
      countFailedExport('retried');
      throw error;
    }
    this.logger.error({ message: 'Export failed after the last attempt', export: String(id), error });
    await this.fail(attempt, 'The file could not be written because of an internal error. Create the export again.');
  }

  private async fail(attempt: ExportAttempt, problem: string): Promise<void> {
    await attempt.fail(problem);
    countFailedExport('failed');
  }
}
