import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { ServerMessages } from './server-messages.js';

/** With more unsent bytes, NATS is read no further. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

/** What a joined worker receives: everything that NATS sends, and between its messages those of the gateway itself. */
export class LinkOutput {
  private readonly messages = new ServerMessages();
  private isWithinMessage = false;
  /** Messages of the gateway that wait for the end of one of NATS. */
  private waiting: Buffer[] = [];
  private waitingBytes = 0;

  /** @param onMessage called with the subject of each message that NATS sends */
  constructor(
    private readonly client: WebSocket,
    private readonly nats: Socket,
    private readonly onMessage: (subject: string) => void,
  ) {}

  /** Whether the client does not read what it gets. */
  get isFull(): boolean {
    return this.client.bufferedAmount + this.waitingBytes > 2 * MAX_BUFFERED_BYTES;
  }

  /** @throws Error if NATS sends something else than its protocol */
  forward(chunk: Buffer): void {
    const { end, subjects } = this.messages.push(chunk);
    this.isWithinMessage = end !== chunk.length;
    for (const subject of subjects) this.onMessage(subject);
    if (end === null || this.waiting.length === 0) return this.send(chunk);
    this.send(Buffer.concat([chunk.subarray(0, end), ...this.waiting, chunk.subarray(end)]));
    this.waiting = [];
    this.waitingBytes = 0;
  }

  /** Sends a message of the gateway. */
  insert(message: Buffer): void {
    if (!this.isWithinMessage) return this.client.send(message);
    this.waiting.push(message);
    this.waitingBytes += message.length;
  }

  private send(chunk: Buffer): void {
    if (this.client.bufferedAmount < MAX_BUFFERED_BYTES) return this.client.send(chunk);
    this.nats.pause();
    this.client.send(chunk, () => this.nats.resume());
  }
}
