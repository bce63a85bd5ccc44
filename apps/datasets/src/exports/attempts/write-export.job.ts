import { Inject, Injectable, Logger } from '@nestjs/common';
import type { ExportFormat } from '@millrace/contracts/datasets/exports';
import { writeExport } from '@millrace/contracts/datasets/jobs';
import type { Payload } from '@millrace/contracts/kit/event';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { Database } from '@millrace/persistence/database';
import { storageArea } from '@millrace/storage/storage-area';
import { DATASETS_ENV, type DatasetsEnv } from '../../env.js';
import type { ExportTask } from '../writing/export-task.js';
import { explainFailure, TableDeletedError } from './explain-failure.js';
import { beginAttempt, type ExportAttempt, AttemptSupersededError } from './export-attempt.js';
import { ExportThreads } from './export-threads.js';
import { enqueueNextExports } from './export-turns.js';
import { watchAttempt } from './watch-attempt.js';

/** Tries of one export, those included that ended because a service did. */
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
      const task = this.taskOf(attempt);
      const { object, rows } = await watchAttempt(attempt, (watcher) => this.threads.write(task, watcher));
      await attempt.complete(object, rows);
    } catch (error) {
      await this.end(attempt, error);
    } finally {
      await enqueueNextExports(this.database, attempt.record.vaultId);
    }
  }

  /** The columns are those of when it is read, and `now` is when the export was ordered, so that each try means the same rows. */
  private taskOf({ record }: ExportAttempt): ExportTask {
    const { q, select, order, datasetId, createdAt } = record;
    return {
      databaseUrl: this.env.DATABASE_URL,
      storage: storageArea(this.env, 'exports'),
      format: record.format as ExportFormat,
      dataset: datasetId,
      selection: { q, select, order },
      now: createdAt,
    };
  }

  /** @throws the error, where another try may do better */
  private async end(attempt: ExportAttempt, error: unknown): Promise<void> {
    if (error instanceof AttemptSupersededError) return;
    const { id, datasetId, attempt: tries } = attempt.record;
    const table = await this.database.client.dataset.count({ where: { id: datasetId } });
    const problem = explainFailure(table === 0 ? new TableDeletedError() : error);
    if (problem !== null) return attempt.fail(problem);
    if (tries < MAX_ATTEMPTS) {
      await attempt.release();
      throw error;
    }
    this.logger.error({ message: 'An export cannot be written', export: String(id), error });
    await attempt.fail('the file could not be written');
  }
}
