import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { execInSandbox } from '@millrace/contracts/runs/sandbox';
import {
  admitSandbox,
  beginExec,
  execWatchChanged,
  assignExec,
  abandonExec,
} from '@millrace/contracts/runs/sandbox-hosts';
import { Broker } from '@millrace/messaging/broker/broker';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { CallerResolver } from '../access/current-caller.js';
import { StreamAccess } from '../access/stream-access.js';
import { readRequest } from '../routes/read-request.js';
import { Route } from '../routes/route.js';
import { EventStream } from './event-stream.js';
import { followExec } from './follow-exec.js';

type Assignment = Result<typeof execInSandbox>;

const RESTART_TIMEOUT_MS = 5_000;
/** A worker may have to create the sandbox first. */
const BEGIN_TIMEOUT_MS = 20_000;
const WATCH_INTERVAL_MS = 2_000;
const MAX_WORKERS = 3;

/** Commands in sandboxes: the runs service reserves the session, and a worker runs the command and streams its output. */
@Controller()
export class SandboxExecController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly broker: Broker,
    private readonly caller: CallerResolver,
  ) {}

  @Route(execInSandbox)
  async exec(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const envelope = readRequest(execInSandbox, request);
    const assignment = (await this.rpc.send(execInSandbox, envelope, { retryForMs: RESTART_TIMEOUT_MS })) as Assignment;
    const worker = await this.begin(assignment, envelope);
    const watch = (watching: boolean) =>
      this.broker.publish(execWatchChanged, { exec: assignment.exec, watching }, worker);
    if (reply.raw.destroyed) return watch(false);
    // Repeated on a timer: a slow reader reads nothing for long and is still connected.
    const timer = setInterval(() => watch(true), WATCH_INTERVAL_MS);
    reply.raw.once('close', () => {
      clearInterval(timer);
      watch(false);
    });
    const checks = {
      currentCaller: () => this.caller.resolve(request),
      checkRecordAccess: (from: Envelope) => this.rpc.call(admitSandbox, { session: assignment.session }, from),
    };
    const access = new StreamAccess(envelope, checks, reply.raw);
    const stream = new EventStream(reply);
    access.watch();
    const events = followExec(this.rpc, worker, assignment.exec, envelope, () => stream.isClosed);
    for await (const { event, data } of access.guard(events)) {
      if (event === 'exit') return stream.end(event, data);
      await stream.send(event, data);
    }
  }

  /** @returns the worker that runs the command */
  private async begin(assignment: Assignment, envelope: Envelope): Promise<string> {
    const { command, timeout_seconds: seconds } = envelope.body as Input<typeof execInSandbox>['body'];
    const request = { ...assignment, command, timeoutMs: seconds * 1000 };
    const rejectedBy: string[] = [];
    try {
      while (rejectedBy.length < MAX_WORKERS) {
        const { worker: instance } = await this.rpc.call(assignExec, { ...assignment, unlike: rejectedBy }, envelope, {
          retryForMs: RESTART_TIMEOUT_MS,
        });
        if (instance === null) break;
        const beginning = this.rpc.call(beginExec, request, envelope, { timeoutMs: BEGIN_TIMEOUT_MS, instance });
        if ((await beginning.catch(notAccepted)).accepted) return instance;
        rejectedBy.push(instance);
      }
    } catch (error) {
      await this.abandon(assignment, envelope);
      throw error;
    }
    await this.abandon(assignment, envelope);
    throw new ApiError('rate_limited', 'No worker has a free slot for this sandbox. Try again in 5 seconds.', {
      retry_after: 5,
    });
  }

  /** If this call is lost, the session's lease expires some seconds later. */
  private async abandon(assignment: Assignment, envelope: Envelope): Promise<void> {
    await this.rpc.call(abandonExec, assignment, envelope).catch(() => undefined);
  }
}

const notAccepted = () => ({ accepted: false });
