import {
  ClosedConnectionError,
  createInbox,
  NoRespondersError,
  PermissionViolationError,
  TimeoutError,
  type Msg,
  type NatsConnection,
} from '@nats-io/nats-core';
import { WriteCoalescer } from './write-coalescer.js';

/** The connection was lost while the request was pending. Whether it was handled is unknown. */
export class ResponseLostError extends Error {
  constructor() {
    super('The connection to the broker was lost before the response arrived');
  }
}

/** The request was never sent, because there was no connection for too long. */
export class NotConnectedError extends Error {
  constructor() {
    super('There was no connection to the broker');
  }
}

/** How long a request waits for a reconnection. A restarted broker is back within one or two seconds. */
const RECONNECT_TIMEOUT_MS = 10_000;

interface PendingRequest {
  subject: string;
  resolve: (response: Msg) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
  /** Runs while the request waits for a reconnection. */
  reconnectTimer?: NodeJS.Timeout;
}

/**
 * Sends requests with one response each, over one inbox. Requests of one iteration of the event loop share one write.
 * The `request` of nats-core writes each individually and creates an error with a stack for every response: 24 and 8 %
 * of the CPU of the gateway at sixteen concurrent requests.
 *
 * If the connection is lost, pending requests fail, because they will get no response. Requests made without a
 * connection are sent after the reconnection; nats-core would drop them.
 */
export class RequestMultiplexer {
  private readonly pending = new Map<string, PendingRequest>();
  private readonly inbox: string;
  private readonly writes = new WriteCoalescer();
  /** Requests made since the connection was lost; null while connected. */
  private unsentRequests: (() => void)[] | null = null;
  private sequence = 0;

  constructor(
    private readonly connection: NatsConnection,
    inboxPrefix: string,
  ) {
    this.inbox = createInbox(inboxPrefix);
    connection.subscribe(`${this.inbox}.*`, { callback: (error, response) => this.handleResponse(error, response) });
    void connection.closed().then(() => this.rejectAll(new ClosedConnectionError()));
    void this.watchStatus();
  }

  /**
   * @throws TimeoutError, ResponseLostError, NotConnectedError, NoRespondersError if there is no subscriber,
   * PermissionViolationError, ClosedConnectionError
   */
  send(subject: string, data: string, timeoutMs: number): Promise<Msg> {
    const token = String(++this.sequence);
    const response = new Promise<Msg>((resolve, reject) => {
      const timer = setTimeout(() => this.removeRequest(token)?.reject(new TimeoutError()), timeoutMs);
      this.pending.set(token, { subject, resolve, reject, timer });
    });
    this.writes.add(() => this.publish(token, subject, data));
    return response;
  }

  private publish(token: string, subject: string, data: string): void {
    const request = this.pending.get(token);
    if (!request) return;
    clearTimeout(request.reconnectTimer);
    if (this.unsentRequests) {
      request.reconnectTimer = setTimeout(
        () => this.removeRequest(token)?.reject(new NotConnectedError()),
        RECONNECT_TIMEOUT_MS,
      );
      return void this.unsentRequests.push(() => this.publish(token, subject, data));
    }
    try {
      this.connection.publish(subject, data, { reply: `${this.inbox}.${token}` });
    } catch (error) {
      this.removeRequest(token)?.reject(error as Error);
    }
  }

  /** If there is no subscriber, the broker sends an empty message with status 503 (NATS docs, "No responders"). */
  private handleResponse(error: Error | null, response: Msg): void {
    if (error) return this.rejectAll(error);
    const request = this.removeRequest(response.subject.slice(this.inbox.length + 1));
    if (response.data.length === 0 && response.headers?.code === 503) {
      request?.reject(new NoRespondersError(request.subject));
    } else request?.resolve(response);
  }

  private async watchStatus(): Promise<void> {
    for await (const status of this.connection.status()) {
      if (status.type === 'disconnect') this.handleDisconnect();
      if (status.type === 'reconnect') this.sendUnsent();
      if (status.type === 'error' && status.error instanceof PermissionViolationError)
        this.rejectForbidden(status.error);
    }
  }

  /** Also called for every failed reconnection attempt. */
  private handleDisconnect(): void {
    if (this.unsentRequests || this.connection.isClosed()) return;
    this.unsentRequests = [];
    this.rejectAll(new ResponseLostError());
  }

  private sendUnsent(): void {
    const unsentRequests = this.unsentRequests ?? [];
    this.unsentRequests = null;
    for (const send of unsentRequests) send();
  }

  private rejectForbidden(error: PermissionViolationError): void {
    for (const [token, { subject }] of this.pending) {
      if (subject === error.subject) this.removeRequest(token)?.reject(error);
    }
  }

  private rejectAll(error: Error): void {
    for (const token of this.pending.keys()) this.removeRequest(token)?.reject(error);
  }

  private removeRequest(token: string): PendingRequest | undefined {
    const request = this.pending.get(token);
    clearTimeout(request?.timer);
    clearTimeout(request?.reconnectTimer);
    this.pending.delete(token);
    return request;
  }
}
