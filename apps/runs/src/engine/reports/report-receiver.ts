import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { UnavailableError } from '@millrace/contracts/kit/api-error';
import type { Report, ReportBatch } from '@millrace/contracts/runs/report';
import { Broker } from '@millrace/messaging/broker/broker';
import { Batcher } from '@millrace/messaging/events/batcher';
import { ContentsGoneError } from '@millrace/persistence/contents-gone-error';
import { ObjectMissingError } from '@millrace/storage/object-store';
import { countLostDispatches, measureWaits } from '../../metrics/engine-metrics.js';
import { publishCancellation } from '../../workers/cancellation.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { DurationEstimator } from '../dispatch/duration-estimator.js';
import { OutputLists } from '../dispatch/output-lists.js';
import { applyReports, dispatchIds } from './apply-reports.js';
import type { ReportsResult, WorkerReport } from './reported-changes.js';
import { toPlatformFailure, withoutGoneContents } from './without-gone-contents.js';

/** Injection token: bytes that the files and runs of a vault may store; null means no limit. */
export const STORAGE_QUOTA = Symbol('STORAGE_QUOTA');

/** Messages applied in one transaction. Each contains the reports of one worker from a few milliseconds. */
const MAX_MESSAGES = 200;
/** Shortest time between two transactions under load: a transaction costs more than the reports in it. */
const MIN_INTERVAL_MS = 15;

/** A worker's message, and how to respond to it. */
interface ReceivedMessage {
  message: ReportBatch;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Receives reports from workers and applies them in batches. */
@Injectable()
export class ReportReceiver implements BeforeApplicationShutdown {
  private isOpen = true;
  private readonly received = new Batcher<ReceivedMessage>((batch) => this.applyBatch(batch), {
    maxItems: MAX_MESSAGES,
    minIntervalMs: MIN_INTERVAL_MS,
  });

  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly outputs: OutputLists,
    private readonly durations: DurationEstimator,
    private readonly broker: Broker,
    @Inject(STORAGE_QUOTA) private readonly quota: number | null,
  ) {}

  /** Resolves when the reports are committed. */
  receive(message: ReportBatch): Promise<void> {
    if (!this.isOpen)
      return Promise.reject(
        new UnavailableError('The runs service is restarting; nothing was done. Try again shortly.'),
      );
    return new Promise((resolve, reject) => this.received.push({ message, resolve, reject }));
  }

  /** If a batch fails, each of its messages is applied individually, so that only the sender of the faulty one repeats it. */
  private async applyBatch(batch: ReceivedMessage[]): Promise<void> {
    try {
      await this.apply(batch);
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else for (const received of batch) await this.applyBatch([received]);
    }
  }

  private async apply(batch: ReceivedMessage[]): Promise<void> {
    const reports = await this.readReports(batch);
    // An empty output may stand in for the result of a failed step.
    if (reports.some(({ report }) => report.type === 'finished' && report.outcome === 'failed')) {
      await this.outputs.storeEmpty();
    }
    const { stale, unwanted, durations, waits, unreported } = await this.applyStored(reports);
    measureWaits(waits);
    if (unreported > 0) countLostDispatches('unreported', unreported);
    for (const { plan, segment, ms } of durations) this.durations.record(plan, segment, ms);
    for (const { resolve } of batch) resolve();
    publishCancellation(this.broker, { dispatches: [...new Set(stale)] });
    for (const cancellation of unwanted) publishCancellation(this.broker, cancellation);
  }

  /** Steps run again if contents of theirs have been deleted since they were stored. */
  private async applyStored(reports: WorkerReport[]): Promise<ReportsResult> {
    try {
      return await this.dispatcher.change(
        {
          lock: { dispatches: dispatchIds(reports) },
          change: (tx, runs) => applyReports(tx, runs, reports, this.quota),
        },
        ({ mayDispatch }) => mayDispatch,
      );
    } catch (error) {
      if (!(error instanceof ContentsGoneError)) throw error;
      const gone = new Set(error.hashes);
      const remaining = reports.map((report) => withoutGoneContents(report, gone));
      // Each attempt finds what the first statement that fails refers to.
      if (remaining.every((report, index) => report === reports[index])) throw error;
      return this.applyStored(remaining);
    }
  }

  private async readReports(batch: ReceivedMessage[]): Promise<WorkerReport[]> {
    const reports: WorkerReport[] = [];
    for (const { message } of batch) {
      for (const report of message.reports) reports.push(await this.readOutputs(message.worker, report));
    }
    return reports;
  }

  /** A long list of outputs is an object in the store. It is read before the transaction begins. */
  private async readOutputs(worker: string, report: Report): Promise<WorkerReport> {
    if (report.type !== 'finished') return { worker, report };
    const { outputs } = report;
    try {
      return { worker, report: { ...report, outputs: { files: await this.outputs.readFiles(outputs) } }, outputs };
    } catch (error) {
      if (!(error instanceof ObjectMissingError)) throw error;
      return { worker, report: toPlatformFailure(report), outputs: { files: [] } };
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isOpen = false;
    await this.received.settled();
  }
}
