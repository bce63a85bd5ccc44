import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { readRunningLog, runChanged } from '@millrace/contracts/runs/engine';
import { type StoredLogInfo, describeLogGap } from '@millrace/contracts/runs/log-gap';
import { readLogs } from '@millrace/contracts/runs/subjobs';
import { Broker } from '@millrace/messaging/broker/broker';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { ObjectStore } from '@millrace/storage/object-store';
import { CallerResolver } from '../access/current-caller.js';
import { StreamAccess } from '../access/stream-access.js';
import { readRequest } from '../routes/read-request.js';
import { Route } from '../routes/route.js';
import { beginRawResponse } from '../streams/event-stream.js';
import { Waker } from '../streams/waker.js';
import { OBJECT_STORE } from '../transfers/object-stores.js';
import { readRange, rejectRange } from '../transfers/send-object.js';
import { findStoredTail, readStoredLog, readStoredRange, sizeOfSentLog } from './stored-log.js';

type LogLocation = Result<typeof readLogs>;
type Query = Input<typeof readLogs>['query'];
type RunningLogPart = Result<typeof readRunningLog>;

/** How long a worker waits for more output before it responds with none. */
const READ_WAIT_MS = 2_000;
const POLL_INTERVAL_MS = 5_000;
/** The engine learns of the end of a step some milliseconds later. */
const SETTLE_INTERVAL_MS = 200;
const MAX_SETTLE_ATTEMPTS = 10;

/** Logs as text: from the object store if the attempt has ended, otherwise from the worker that runs it. */
@Controller()
export class LogsController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly broker: Broker,
    private readonly caller: CallerResolver,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  @Route(readLogs)
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const envelope = readRequest(readLogs, request);
    const query = envelope.query as Query;
    if (query.tail !== undefined && query.offset !== undefined) {
      throw new ValidationError({ 'query.offset': 'cannot be combined with `tail`; send only one of them' });
    }
    const first = await this.locate(envelope);
    const { location, offset } = await this.findStart(envelope, first, query);
    const isWhole = query.tail === undefined && query.offset === undefined && query.follow === 'false';
    const range = location.stored && isWhole ? readRange(request.headers.range, sizeOfSentLog(location.stored)) : null;
    if (location.stored && range === 'unsatisfiable') return rejectRange(reply, sizeOfSentLog(location.stored), 'log');
    const checks = {
      currentCaller: () => this.caller.resolve(request),
      checkRecordAccess: (from: Envelope) => this.locate(from),
    };
    const access = new StreamAccess(envelope, checks, reply.raw);
    const headers = { ...headersOf(location, offset), ...(isWhole && location.stored && { 'accept-ranges': 'bytes' }) };
    if (location.stored && range && range !== 'unsatisfiable') {
      const { start, end } = range;
      const size = sizeOfSentLog(location.stored);
      const ranged = { 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': end - start + 1 };
      beginRawResponse(reply, { ...headers, ...ranged }, 206);
      return this.send(access, reply, readStoredRange(this.store, location.stored, range));
    }
    beginRawResponse(reply, headers);
    return this.send(access, reply, this.follow(access, location, offset));
  }

  private async send(access: StreamAccess, reply: FastifyReply, log: AsyncIterable<Uint8Array>): Promise<void> {
    if (reply.raw.writableEnded) return;
    access.watch();
    await pipeline(access.guard(log), reply.raw).catch(() => undefined);
  }

  /** Finds the log of one attempt; without `attempt`, of the current one. */
  private async locate(envelope: Envelope, attempt?: number): Promise<LogLocation> {
    const query = attempt === undefined ? envelope.query : { ...(envelope.query as Query), attempt };
    return (await this.rpc.send(readLogs, { ...envelope, query, deadline: Date.now() + 10_000 })) as LogLocation;
  }

  /** Finds the byte of the complete log at which the response begins. */
  private async findStart(
    envelope: Envelope,
    first: LogLocation,
    query: Query,
  ): Promise<{ location: LogLocation; offset: number }> {
    const { tail } = query;
    if (tail === undefined) return { location: first, offset: query.offset ?? 0 };
    let location = first;
    for (let tries = 0; tries < MAX_SETTLE_ATTEMPTS; tries++) {
      if (location.stored) return { location, offset: await findStoredTail(this.store, location.stored, tail) };
      if (!location.running) break;
      const part = await this.readFromWorker(envelope, location.running, { offset: 0, tail, waitMs: 0 });
      if (part.state === 'running' && part.offset !== undefined) return { location, offset: part.offset };
      await sleep(SETTLE_INTERVAL_MS);
      location = await this.locate(envelope, location.attempt);
    }
    return { location, offset: 0 };
  }

  /** Yields the log of one attempt from byte `from`; with `follow=true`, until that attempt has ended. */
  private async *follow(access: StreamAccess, first: LogLocation, from: number): AsyncGenerator<Uint8Array> {
    const { id: run } = access.envelope.params as { id: string };
    const isFollowed = (access.envelope.query as Query).follow === 'true';
    const waker = new Waker();
    const unsubscribe = this.broker.subscribe(runChanged, () => waker.wake(), run);
    let offset = from;
    let location = first;
    try {
      for (;;) {
        if (location.stored) {
          yield* readStoredLog(this.store, location.stored, offset);
          return;
        }
        if (location.state === 'none') return;
        if (location.running) {
          for await (const part of this.readRunning(access.envelope, location.running, offset, isFollowed)) {
            if (part.offset > offset) yield Buffer.from(describeLogGap(part.offset - offset));
            offset = part.offset + part.chunk.length;
            yield part.chunk;
          }
        }
        if (!isFollowed) return;
        await waker.wait(location.running ? SETTLE_INTERVAL_MS : POLL_INTERVAL_MS);
        location = await this.locate(access.envelope, location.attempt);
      }
    } finally {
      unsubscribe();
    }
  }

  /** Reads from the worker until the step has ended or, unless followed, until there is no more output. */
  private async *readRunning(
    envelope: Envelope,
    step: NonNullable<LogLocation['running']>,
    from: number,
    isFollowed: boolean,
  ): AsyncGenerator<{ offset: number; chunk: Buffer }> {
    let offset = from;
    for (;;) {
      const part = await this.readFromWorker(envelope, step, { offset, waitMs: isFollowed ? READ_WAIT_MS : 0 });
      const chunk = Buffer.from(part.chunk, 'base64');
      const start = part.offset ?? offset;
      if (chunk.length > 0) yield { offset: start, chunk };
      offset = start + chunk.length;
      if (part.state !== 'running' || (!isFollowed && chunk.length === 0)) return;
    }
  }

  private readFromWorker(
    envelope: Envelope,
    { worker, ...step }: NonNullable<LogLocation['running']>,
    range: { offset: number; tail?: number; waitMs: number },
  ): Promise<RunningLogPart> {
    const { id: run } = envelope.params as { id: string };
    const { stream } = envelope.query as Query;
    return this.rpc
      .call(readRunningLog, { run, ...step, stream, ...range }, envelope, {
        timeoutMs: READ_WAIT_MS + (range.tail === undefined ? 3_000 : 10_000),
        instance: worker,
      })
      .catch(() => ({ state: 'unknown' as const, chunk: '' }));
  }
}

const headersOf = (location: LogLocation, offset: number) => ({
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'x-log-state': location.state,
  'x-log-attempt': location.attempt ?? 1,
  'x-log-offset': offset,
  ...(location.stored && { 'x-log-truncated': String((location.stored satisfies StoredLogInfo).truncated) }),
});
