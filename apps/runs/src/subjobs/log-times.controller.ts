import { Controller } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { readRunningTimes } from '@millrace/contracts/runs/engine';
import { completeLogSize, type StoredLogInfo } from '@millrace/contracts/runs/log-gap';
import { getLogTimes } from '@millrace/contracts/runs/log-times';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import type { Subjob } from '@millrace/persistence/generated/client';
import { findSubjob } from '../runs/find-run.js';
import { locateLog, type LogLocation } from './locate-log.js';

type Running = NonNullable<LogLocation['running']>;
type Stream = 'stdout' | 'stderr';

/** Attempts that took longer were sampled, unless they are from before that. */
const MAX_UNSAMPLED_MS = 1_000;

/** When logs were written: from the database if the attempt has ended, otherwise from the worker that runs it. */
@Controller()
export class LogTimesController {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  @OperationHandler(getLogTimes)
  async get({ params, query }: Input<typeof getLogTimes>, context: Context): Promise<Result<typeof getLogTimes>> {
    const { subjob } = await findSubjob(this.database, context, params);
    const { stream } = query;
    const location = await locateLog(this.database, subjob, query);
    const { state, attempt, startedAt, stored } = location;
    const samples = location.running
      ? await this.readRunning(subjob, location.running, stream, context)
      : await this.readStored(subjob, location, stream);
    return {
      ...{ state, attempt },
      ...(startedAt && { started_at: startedAt.toISOString() }),
      samples: toPairs(samples),
      ...(stored && { size: completeLogSize(stored), ...describeGap(stored) }),
    };
  }

  private async readStored(
    { runId, id, cachedFrom }: Subjob,
    { attempt, stored, startedAt, finishedAt }: LogLocation,
    stream: Stream,
  ): Promise<number[]> {
    if (!stored) return [];
    const key = { runId, subjobId: id, attempt, stream };
    const row = await this.database.client.logTimes.findUnique({ where: { runId_subjobId_attempt_stream: key } });
    if (row) return row.samples as number[];
    if (!startedAt || !finishedAt || cachedFrom !== null) return [];
    const durationMs = finishedAt.getTime() - startedAt.getTime();
    return durationMs <= MAX_UNSAMPLED_MS ? [completeLogSize(stored), durationMs] : [];
  }

  /** A worker that does not respond, or has just finished the step, returns no samples; the next request finds them stored. */
  private async readRunning(
    { runId }: Subjob,
    { worker, ...step }: Running,
    stream: Stream,
    context: Context,
  ): Promise<number[]> {
    const request = { run: String(runId), ...step, stream };
    const response = await this.rpc
      .call(readRunningTimes, request, { caller: context.caller }, { timeoutMs: 3_000, instance: worker })
      .catch(() => null);
    return response?.samples ?? [];
  }
}

function toPairs(samples: readonly number[]): { offset: number; elapsed_ms: number }[] {
  const pairs = [];
  for (let place = 0; place + 1 < samples.length; place += 2) {
    pairs.push({ offset: samples[place] ?? 0, elapsed_ms: samples[place + 1] ?? 0 });
  }
  return pairs;
}

function describeGap(log: StoredLogInfo): { omitted?: { offset: number; bytes: number } } {
  const bytes = completeLogSize(log) - log.size;
  return bytes > 0 && log.head !== undefined ? { omitted: { offset: log.head, bytes } } : {};
}
