import { type BeforeApplicationShutdown, Injectable, type Type } from '@nestjs/common';
import {
  adminTaskStarted,
  reportTaskProgress,
  type TaskService,
  workOnTask,
} from '@millrace/contracts/auth/admin/admin-tasks';
import type { Payload } from '@millrace/contracts/kit/event';
import type { Request } from '@millrace/contracts/kit/operation';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import { RetryLaterError } from '@millrace/messaging/jobs/job-errors';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database, type Transaction } from '@millrace/persistence/database';
import { messagingChecks } from './check-messaging.js';
import type { InvariantCheck } from './invariant-check.js';
import { planChecks, planReindex, type TaskStep } from './plan-task.js';

type Work = Payload<(typeof workOnTask)[TaskService]>;
type Progress = Request<typeof reportTaskProgress>['body'];

/** A service restarts within this time. If auth is away for longer, the job fails and starts again. */
const REPORT_OPTIONS = { timeoutMs: 30_000, retryForMs: 25_000 };
const RESUME_DELAY_MS = 1_000;

/** Creates the providers with which a service works on its part of checks and reindexes. */
export function adminTaskProviders(service: TaskService, checks: readonly InvariantCheck[]): Type[] {
  @Injectable()
  class AdminTaskWorker implements BeforeApplicationShutdown {
    private isClosing = false;

    constructor(
      private readonly database: Database,
      private readonly rpc: RpcClient,
    ) {}

    /** One step after the other, so that a task never takes more than one connection. */
    @JobProcessor(workOnTask[service])
    async work(work: Work): Promise<void> {
      const steps = await this.plan(work);
      const total = steps.length;
      let continues = await this.report(work, { state: 'running', done: 0, total, findings: [] });
      for (const [index, step] of steps.entries()) {
        if (!continues) return void (await this.report(work, { state: 'cancelled', done: index, total, findings: [] }));
        // The next process starts from the beginning.
        if (this.isClosing) throw new RetryLaterError(RESUME_DELAY_MS);
        const finding = await step.run();
        const findings = finding === null ? [] : [finding];
        const state = index + 1 === total ? 'done' : 'running';
        continues = await this.report(work, { state, done: index + 1, total, findings });
      }
      if (total === 0) await this.report(work, { state: 'done', done: 0, total, findings: [] });
    }

    private plan({ kind, indexes }: Work): TaskStep[] | Promise<TaskStep[]> {
      const { database, rpc } = this;
      const all = [...checks, ...messagingChecks(service)];
      return kind === 'check' ? planChecks(all, { database, rpc }) : planReindex(database, service, indexes);
    }

    private async report({ task }: Work, progress: Omit<Progress, 'task' | 'service'>): Promise<boolean> {
      const body = { task, service, ...progress };
      return (await this.rpc.call(reportTaskProgress, body, { caller: null }, REPORT_OPTIONS)).continues;
    }

    beforeApplicationShutdown(): void {
      this.isClosing = true;
    }
  }

  @Injectable()
  class AdminTaskListener {
    @EventHandler(adminTaskStarted)
    async enqueue(tasks: Payload<typeof adminTaskStarted>[], tx: Transaction): Promise<void> {
      for (const { services, ...work } of tasks) if (services.includes(service)) tx.enqueue(workOnTask[service], work);
      await Promise.resolve();
    }
  }

  // Auth starts the tasks, and enqueues its own part itself.
  return service === 'auth' ? [AdminTaskWorker] : [AdminTaskWorker, AdminTaskListener];
}
