import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { WebSocketServer, type WebSocket } from 'ws';
import { joinedWorkerDisconnected } from '@millrace/contracts/auth/admin/joined-workers';
import { checkWorkerKey, findRevokedWorkers, joinedWorkerId, WORKER_LINK_PATH } from '@millrace/contracts/auth/join';
import { Broker } from '@millrace/messaging/broker/broker';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { MessagingOptions } from '@millrace/messaging/wiring/messaging-options';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import { GATEWAY_ENV, type GatewayEnv } from '../env.js';
import { continueAsRequest } from './continue-as-request.js';
import { openNatsSocket } from './open-nats-socket.js';
import { readBasicCredentials } from './read-basic-credentials.js';
import { WorkerLimits } from './worker-limits.js';
import { WorkerLink } from './worker-link.js';
import { workerMessaging } from './worker-messaging.js';

const CHECK_INTERVAL_MS = 30_000;
const CALL_TIMEOUT_MS = 5_000;
/** Larger than any message of NATS, which checks the exact size. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const NO_CALLER = { caller: null };

/** HTTP responses to a request for a WebSocket that is refused. */
const REFUSALS = {
  401: 'Unauthorized',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
} as const;

/** The WebSockets with which joined workers reach NATS. A worker that is revoked loses them at once. */
@Injectable()
export class WorkerLinks {
  private readonly logger = new Logger(WorkerLinks.name);
  private readonly links = new Set<WorkerLink>();
  private readonly server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
  });
  private readonly loop = new IntervalLoop('Check of the connections of workers', CHECK_INTERVAL_MS, () =>
    this.check(),
  );
  private readonly upstream: MessagingOptions | null;

  constructor(
    private readonly broker: Broker,
    private readonly rpc: RpcClient,
    private readonly limits: WorkerLimits,
    @Inject(GATEWAY_ENV) env: GatewayEnv,
  ) {
    this.upstream = workerMessaging(env);
  }

  /** Accepts the WebSockets of workers at an HTTP server. Other requests for a change of the protocol are ordinary requests. */
  accept(http: Server): void {
    http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (!isLinkRequest(request)) return continueAsRequest(http, request, socket, head);
      socket.on('error', () => socket.destroy());
      void this.handle(request, socket, head).catch((error: unknown) => {
        this.logger.warn({ message: 'Connection of a worker failed; the worker tries again', error });
        refuse(socket, 503);
      });
    });
    this.broker.subscribe(joinedWorkerDisconnected, ({ worker }) => this.disconnect(worker));
    this.broker.onReconnect(() => void this.check().catch(() => undefined));
    this.loop.start();
  }

  async close(): Promise<void> {
    await this.loop.stop();
    for (const link of this.links) link.close();
  }

  private async handle(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const credentials = readLinkCredentials(request);
    if (!credentials) return refuse(socket, 401);
    if (this.limits.isExceeded(credentials.id)) return refuse(socket, 429);
    const { grant } = await this.rpc.call(checkWorkerKey, credentials, NO_CALLER, { timeoutMs: CALL_TIMEOUT_MS });
    if (!grant) return refuse(socket, 401);
    if (!this.upstream) {
      this.logger.warn({ message: 'A joined worker cannot connect: set NATS_PASSWORD_WORKER for the gateway' });
      return refuse(socket, 503);
    }
    if (socket.destroyed) return;
    const limits = this.limits.open(grant.id);
    if (!limits) return refuse(socket, 429);
    // Also if NATS cannot be reached, or the request turns out to be no valid one for a WebSocket.
    socket.on('close', () => limits.close());
    const nats = await openNatsSocket(this.upstream);
    if (socket.destroyed) return void nats.socket.destroy();
    socket.on('close', () => nats.socket.destroy());
    this.server.handleUpgrade(request, socket, head, (client: WebSocket) => {
      const link = new WorkerLink(grant, client, nats, limits);
      this.links.add(link);
      client.on('close', () => this.links.delete(link));
    });
    // The worker may have been revoked since its key was checked. If auth does not respond now, the next check finds it.
    await this.check([grant.id]).catch(() => undefined);
  }

  private disconnect(worker: string): void {
    for (const link of this.links) if (link.grant.id === worker) link.refuse();
  }

  /** The notice of a revocation may be lost. */
  private async check(workers = [...new Set([...this.links].map(({ grant }) => grant.id))]): Promise<void> {
    if (workers.length === 0) return;
    const { revoked } = await this.rpc.call(findRevokedWorkers, { workers }, NO_CALLER, { timeoutMs: CALL_TIMEOUT_MS });
    for (const worker of revoked) this.disconnect(worker);
  }
}

function readLinkCredentials({ headers }: IncomingMessage): { id: string; key: string } | null {
  const credentials = readBasicCredentials(headers.authorization);
  const id = joinedWorkerId.safeParse(credentials?.user);
  return credentials && id.success ? { id: id.data, key: credentials.password } : null;
}

const isLinkRequest = ({ url }: IncomingMessage): boolean => url?.split('?', 1)[0] === WORKER_LINK_PATH;

function refuse(socket: Duplex, status: keyof typeof REFUSALS): void {
  if (socket.destroyed) return;
  const head = `HTTP/1.1 ${status} ${REFUSALS[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
  // A client that keeps its side open would keep the socket.
  socket.end(head, () => socket.destroy());
}
