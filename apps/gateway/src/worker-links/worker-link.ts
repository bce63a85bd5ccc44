import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { WorkerGrant } from '@millrace/contracts/auth/join';
import { BadFrameError, ClientFrames, type ClientFrame } from './client-frames.js';
import { findViolation } from './link-policy.js';
import type { NatsSocket } from './open-nats-socket.js';

/** With more unsent bytes in one direction, the other end is read no further. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

/** Codes of a closed WebSocket (RFC 6455, 7.4.1). */
const GOING_AWAY = 1001;
const PROTOCOL_ERROR = 1002;
const POLICY_VIOLATION = 1008;

/** Passes the protocol of NATS between a joined worker and NATS, and drops what the worker may not send. */
export class WorkerLink {
  private readonly frames: ClientFrames;
  private readonly nats: Socket;

  /** @param onViolation called for each message that is dropped */
  constructor(
    readonly grant: WorkerGrant,
    private readonly client: WebSocket,
    private readonly upstream: NatsSocket,
    private readonly onViolation: (violation: string) => void,
  ) {
    this.frames = new ClientFrames(upstream.info.max_payload);
    this.nats = upstream.socket;
    client.on('message', (data: Buffer) => this.receive(data));
    client.on('close', () => this.nats.destroy());
    client.on('error', () => this.nats.destroy());
    this.nats.on('data', (chunk: Buffer) => this.sendToClient(chunk));
    this.nats.on('close', () => client.close(GOING_AWAY));
    this.nats.on('error', () => client.close(GOING_AWAY));
    client.send(Buffer.from(`INFO ${JSON.stringify(describeServer(upstream.info))}\r\n`));
    this.nats.resume();
  }

  /** Ends the connection of a worker that was revoked. */
  refuse(): void {
    this.client.close(POLICY_VIOLATION, 'This worker was revoked');
    this.nats.destroy();
  }

  /** Ends the connection because the gateway shuts down; the worker connects to another one. */
  close(): void {
    this.client.close(GOING_AWAY);
    this.nats.destroy();
  }

  private receive(data: Buffer): void {
    try {
      for (const frame of this.frames.push(data)) this.pass(frame);
    } catch (error) {
      if (!(error instanceof BadFrameError)) throw error;
      this.client.close(PROTOCOL_ERROR, error.message);
      this.nats.destroy();
    }
  }

  private pass(frame: ClientFrame): void {
    const violation = findViolation(frame, this.grant);
    if (violation !== null) {
      this.onViolation(violation);
      return this.client.send(Buffer.from(`-ERR '${violation}'\r\n`));
    }
    if (!this.nats.write(frame.kind === 'connect' ? this.signIn(frame.options) : frame.bytes)) {
      this.client.pause();
      this.nats.once('drain', () => this.client.resume());
    }
  }

  /** The worker signs in at the gateway, and the gateway at NATS. */
  private signIn(options: Record<string, unknown>): Buffer {
    const { user, pass } = this.upstream;
    const { name, lang, version, protocol, headers, no_responders, verbose, pedantic, echo } = options;
    const own = { name, lang, version, protocol, headers, no_responders, verbose, pedantic, echo };
    return Buffer.from(`CONNECT ${JSON.stringify({ ...own, user, pass, tls_required: false })}\r\n`);
  }

  private sendToClient(chunk: Buffer): void {
    if (this.client.bufferedAmount < MAX_BUFFERED_BYTES) return this.client.send(chunk);
    this.nats.pause();
    this.client.send(chunk, () => this.nats.resume());
  }
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
