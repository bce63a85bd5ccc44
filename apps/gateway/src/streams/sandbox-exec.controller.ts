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
import { CurrentCaller } from '../access/current-caller.js';
import { LastingAccess } from '../access/stream-access.js';
import { readRequest } from '../routes/read-request.js';
import { Serves } from '../routes/route.js';
import { EventStream } from './event-stream.js';
import { followExec } from './follow-exec.js';

type Order = Result<typeof execInSandbox>;

const TIMEOUT_MS = 5_000;
/** A worker may have to make the sandbox first. */
const BEGIN_MS = 20_000;
const WATCH_MS = 2_000;
const MAX_WORKERS = 3;

/** Commands in sandboxes: the runs service lends the session, a worker runs the command, and is read from until its end. */
@Controller()
export class SandboxExecController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly broker: Broker,
    private readonly caller: CurrentCaller,
  ) {}

  @Serves(execInSandbox)
  async exec(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const envelope = readRequest(execInSandbox, request);
    const order = (await this.rpc.send(execInSandbox, envelope, { patienceMs: TIMEOUT_MS })) as Order;
    const worker = await this.begin(order, envelope);
    const watch = (watching: boolean) => this.broker.publish(execWatchChanged, { exec: order.exec, watching }, worker);
    if (reply.raw.destroyed) return watch(false);
    // A reader that is slow is no reader that is gone.
    const timer = setInterval(() => watch(true), WATCH_MS);
    reply.raw.once('close', () => {
      clearInterval(timer);
      watch(false);
    });
    const sources = {
      currentCaller: () => this.caller.behind(request),
      enter: (from: Envelope) => this.rpc.call(admitSandbox, { session: order.session }, from),
    };
    const access = new LastingAccess(envelope, sources, reply.raw);
    const stream = new EventStream(reply);
    access.watch();
    const events = followExec(this.rpc, worker, order.exec, envelope, () => stream.isClosed);
    for await (const { event, data } of access.guard(events)) {
      if (event === 'exit') return stream.end(event, data);
      await stream.send(event, data);
    }
  }

  /** @returns the worker that runs it */
  private async begin(order: Order, envelope: Envelope): Promise<string> {
    const { command, timeout_seconds: seconds } = envelope.body as Input<typeof execInSandbox>['body'];
    const asked = { ...order, command, timeoutMs: seconds * 1000 };
    const unlike: string[] = [];
    try {
      while (unlike.length < MAX_WORKERS) {
        const { worker: instance } = await this.rpc.call(assignExec, { ...order, unlike }, envelope, {
          patienceMs: TIMEOUT_MS,
        });
        if (instance === null) break;
        const begun = this.rpc.call(beginExec, asked, envelope, { timeoutMs: BEGIN_MS, instance });
        if ((await begun.catch(notThere)).accepted) return instance;
        unlike.push(instance);
      }
    } catch (error) {
      await this.giveUp(order, envelope);
      throw error;
    }
    await this.giveUp(order, envelope);
    throw new ApiError('rate_limited', 'No worker has room for this sandbox right now', { retry_after: 5 });
  }

  /** Should this be lost, the session is free again some seconds later. */
  private async giveUp(order: Order, envelope: Envelope): Promise<void> {
    await this.rpc.call(abandonExec, order, envelope).catch(() => undefined);
  }
}

const notThere = () => ({ accepted: false });
