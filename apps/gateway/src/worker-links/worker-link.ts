import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import type { WebSocket } from 'ws';
import type { WorkerGrant } from '@millrace/contracts/auth/join';
import type { ApiError } from '@millrace/contracts/kit/api-error';
import { BadFrameError, ClientFrames, type ClientFrame } from './client-frames.js';
import { InboxSubscriptions } from './inbox-subscriptions.js';
import { LinkOutput } from './link-output.js';
import { findViolation } from './link-policy.js';
import type { NatsSocket } from './open-nats-socket.js';
import type { LinkLimits } from './worker-limits.js';

/** Codes of a closed WebSocket (RFC 6455, 7.4.1). */
const GOING_AWAY = 1001;
const PROTOCOL_ERROR = 1002;
const POLICY_VIOLATION = 1008;

/** Passes the protocol of NATS between a joined worker and NATS, and drops what the worker may not send. */
export class WorkerLink {
  private readonly logger = new Logger(WorkerLink.name);
  private readonly frames: ClientFrames;
  private readonly nats: Socket;
  private readonly output: LinkOutput;
  private readonly inboxes = new InboxSubscriptions();
  private isPassing = false;

  constructor(
    readonly grant: WorkerGrant,
    private readonly client: WebSocket,
    private readonly upstream: NatsSocket,
    private readonly limits: LinkLimits,
  ) {
    this.frames = new ClientFrames(upstream.info.max_payload);
    this.nats = upstream.socket;
    this.output = new LinkOutput(client, this.nats, (subject) => limits.complete(subject));
    client.on('message', (data: Buffer) => this.receive(data));
    client.on('close', () => this.nats.destroy());
    client.on('error', () => this.nats.destroy());
    this.nats.on('data', (chunk: Buffer) => this.forward(chunk));
    this.nats.on('close', () => client.close(GOING_AWAY));
    this.nats.on('error', () => client.close(GOING_AWAY));
    client.send(Buffer.from(`INFO ${JSON.stringify(describeServer(upstream.info))}\r\n`));
    this.nats.resume();
  }

  /** Ends the connection of a worker that was revoked. */
  refuse(): void {
    this.end(POLICY_VIOLATION, 'This worker was revoked');
  }

  /** Ends the connection because the gateway shuts down; the worker connects to another one. */
  close(): void {
    this.end(GOING_AWAY);
  }

  private end(code: number, reason?: string): void {
    this.client.close(code, reason);
    this.nats.destroy();
  }

  private forward(chunk: Buffer): void {
    try {
      this.output.forward(chunk);
    } catch {
      this.end(GOING_AWAY);
    }
  }

  private receive(data: Buffer): void {
    if (this.nats.destroyed) return;
    this.frames.add(data);
    if (!this.isPassing) void this.passFrames();
  }

  /** Passes all complete frames on, in their order. */
  private async passFrames(): Promise<void> {
    this.isPassing = true;
    try {
      for (let frame = this.frames.next(); frame && !this.nats.destroyed; frame = this.frames.next()) {
        await this.handle(frame);
        if (this.limits.isExceeded) this.end(POLICY_VIOLATION, 'This worker sends too many messages');
      }
    } catch (error) {
      // Nobody waits for this, and an error that nobody handles would end the process.
      if (!(error instanceof BadFrameError)) this.logger.error({ message: 'Message of a worker failed', error });
      this.end(PROTOCOL_ERROR, error instanceof BadFrameError ? error.message : undefined);
    }
    this.isPassing = false;
  }

  private async handle(frame: ClientFrame): Promise<void> {
    const violation = findViolation(frame, this.grant);
    if (violation !== null) this.drop(violation);
    else if (frame.kind === 'publish') await this.passPublish(frame);
    else await this.passProtocol(frame);
  }

  private drop(violation: string): void {
    this.limits.countViolation(violation);
    this.insert(`-ERR '${violation}'\r\n`);
  }

  private async passPublish(frame: Extract<ClientFrame, { kind: 'publish' }>): Promise<void> {
    // A response goes to the client that waits for it, and costs the services nothing.
    if (frame.subject.startsWith('_INBOX')) {
      this.limits.count('responses');
      return this.write(frame.bytes);
    }
    const admitted = this.limits.admit(frame);
    const rejection = admitted instanceof Promise ? await this.readNothingUntil(admitted) : admitted;
    if (rejection === null) await this.write(frame.bytes);
    else if (frame.reply !== null) this.respond(frame.reply, rejection);
  }

  private async passProtocol(frame: Exclude<ClientFrame, { kind: 'publish' }>): Promise<void> {
    this.limits.count('protocol');
    if (frame.kind === 'subscribe') this.inboxes.add(frame);
    await this.write(frame.kind === 'connect' ? this.signIn(frame.options) : frame.bytes);
  }

  /** Responds in place of a service (`RpcReply` in libs/messaging). */
  private respond(reply: string, error: ApiError): void {
    const id = this.inboxes.find(reply);
    if (id === null) return;
    const body = JSON.stringify({ err: error.toBody() });
    this.insert(`MSG ${reply} ${id} ${Buffer.byteLength(body)}\r\n${body}\r\n`);
  }

  private insert(message: string): void {
    if (this.output.isFull) return this.end(POLICY_VIOLATION, 'This worker does not read its responses');
    this.output.insert(Buffer.from(message));
  }

  private async write(bytes: Buffer): Promise<void> {
    if (this.nats.destroyed || this.nats.write(bytes)) return;
    await this.readNothingUntil(drainOf(this.nats));
  }

  private async readNothingUntil<T>(result: Promise<T>): Promise<T> {
    this.client.pause();
    try {
      return await result;
    } finally {
      this.client.resume();
    }
  }

  /** The worker signs in at the gateway, and the gateway at NATS. */
  private signIn(options: Record<string, unknown>): Buffer {
    const { user, pass } = this.upstream;
    const { name, lang, version, protocol, headers, no_responders, verbose, pedantic, echo } = options;
    const own = { name, lang, version, protocol, headers, no_responders, verbose, pedantic, echo };
    return Buffer.from(`CONNECT ${JSON.stringify({ ...own, user, pass, tls_required: false })}\r\n`);
  }
}

/** Resolves when a socket takes bytes again, or is closed. */
function drainOf(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const settle = () => {
    socket.off('drain', settle).off('close', settle);
    resolve();
  };
  socket.on('drain', settle).on('close', settle);
  return promise;
}

/** What the client needs to know of the server. The addresses of a cluster and its TLS do not concern it. */
const describeServer = ({
  server_id,
  server_name,
  version,
  go,
  proto,
  headers,
  max_payload,
  jetstream,
}: NatsSocket['info']) => ({
  ...{ server_id, server_name, version, go, host: '', port: 0, proto, headers, max_payload, jetstream },
});
