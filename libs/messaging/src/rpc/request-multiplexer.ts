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

/** The connection was lost while a question was under way: whether it was heard, and done, is not known. */
export class ResponseLostError extends Error {
  constructor() {
    super('The connection was lost before the answer came');
  }
}

/** There was no connection for so long that the request was given up; it was never sent. */
export class NotConnectedError extends Error {
  constructor() {
    super('There is no connection to the broker');
  }
}

/** How long a request waits for the connection to come back. A broker that is restarted is there within a second or two. */
const RECONNECT_TIMEOUT_MS = 10_000;

interface Waiting {
  subject: string;
  resolve: (answer: Msg) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
  /** Runs while the request waits for a connection. */
  unsent?: NodeJS.Timeout;
}

/**
 * Questions with one answer each, which all come to one inbox. What is asked in one turn of the event loop leaves in one
 * write. nats-core's own `request` writes each by itself, and makes an error with its stack for every one that is
 * answered: 24 and 8 % of the gateway's CPU with sixteen requests at a time.
 *
 * Nothing that was under way when the connection is lost will be answered, so it fails then. What is asked while there is
 * none leaves once it is back; nats-core itself drops whatever was written before it dials.
 */
export class RequestMultiplexer {
  private readonly waiting = new Map<string, Waiting>();
  private readonly inbox: string;
  private readonly turn = new WriteCoalescer();
  /** Sends what was asked since the connection was lost; null while there is one. */
  private held: (() => void)[] | null = null;
  private sequence = 0;

  constructor(
    private readonly connection: NatsConnection,
    inboxPrefix: string,
  ) {
    this.inbox = createInbox(inboxPrefix);
    connection.subscribe(`${this.inbox}.*`, { callback: (error, answer) => this.settle(error, answer) });
    void connection.closed().then(() => this.rejectAll(new ClosedConnectionError()));
    void this.watch();
  }

  /** @throws TimeoutError; ResponseLostError; NotConnectedError; NoRespondersError where nobody listens; PermissionViolationError; ClosedConnectionError */
  send(subject: string, data: string, timeoutMs: number): Promise<Msg> {
    const token = String(++this.sequence);
    const answer = new Promise<Msg>((resolve, reject) => {
      const timer = setTimeout(() => this.take(token)?.reject(new TimeoutError()), timeoutMs);
      this.waiting.set(token, { subject, resolve, reject, timer });
    });
    this.turn.add(() => this.publish(token, subject, data));
    return answer;
  }

  private publish(token: string, subject: string, data: string): void {
    const waiting = this.waiting.get(token);
    if (!waiting) return;
    clearTimeout(waiting.unsent);
    if (this.held) {
      waiting.unsent = setTimeout(() => this.take(token)?.reject(new NotConnectedError()), RECONNECT_TIMEOUT_MS);
      return void this.held.push(() => this.publish(token, subject, data));
    }
    try {
      this.connection.publish(subject, data, { reply: `${this.inbox}.${token}` });
    } catch (error) {
      this.take(token)?.reject(error as Error);
    }
  }

  /** The broker says that nobody listens by an empty message with status 503 (NATS docs, "No responders"). */
  private settle(error: Error | null, answer: Msg): void {
    if (error) return this.rejectAll(error);
    const waiting = this.take(answer.subject.slice(this.inbox.length + 1));
    if (answer.data.length === 0 && answer.headers?.code === 503) {
      waiting?.reject(new NoRespondersError(waiting.subject));
    } else waiting?.resolve(answer);
  }

  private async watch(): Promise<void> {
    for await (const status of this.connection.status()) {
      if (status.type === 'disconnect') this.lose();
      if (status.type === 'reconnect') this.sendHeld();
      if (status.type === 'error' && status.error instanceof PermissionViolationError) this.forbid(status.error);
    }
  }

  /** Told again for each try to reconnect that fails. */
  private lose(): void {
    if (this.held || this.connection.isClosed()) return;
    this.held = [];
    this.rejectAll(new ResponseLostError());
  }

  private sendHeld(): void {
    const held = this.held ?? [];
    this.held = null;
    for (const send of held) send();
  }

  private forbid(error: PermissionViolationError): void {
    for (const [token, { subject }] of this.waiting) {
      if (subject === error.subject) this.take(token)?.reject(error);
    }
  }

  private rejectAll(error: Error): void {
    for (const token of this.waiting.keys()) this.take(token)?.reject(error);
  }

  private take(token: string): Waiting | undefined {
    const waiting = this.waiting.get(token);
    clearTimeout(waiting?.timer);
    clearTimeout(waiting?.unsent);
    this.waiting.delete(token);
    return waiting;
  }
}
