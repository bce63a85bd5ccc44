import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import { OpenWork } from '../reconcile/open-work.js';
import { deleteRows } from './delete-rows.js';

const INTERVAL_MS = 2_000;

/** Deletes the rows of deleted runs in the background. Interrupted anywhere, it goes on after the next start. */
@Injectable()
export class RunDeletion implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private isShuttingDown = false;
  private readonly loop = new IntervalLoop('Deletion of runs', INTERVAL_MS, () => this.deleteAll());

  constructor(
    private readonly database: Database,
    private readonly work: OpenWork,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  private async deleteAll(): Promise<void> {
    if (!(await this.work.look()).deletions) return;
    while (!this.isShuttingDown && (await deleteRows(this.database)));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isShuttingDown = true;
    await this.loop.stop();
  }
}
