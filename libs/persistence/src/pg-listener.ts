import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

const RETRY_MS = 200;
/** A connection that died without a word is noticed by its silence. */
const PROBE_MS = 2_000;

export interface PgListenerCallbacks {
  /** A notification arrived. */
  onNotification(payload: string): void;
  /** Listening has begun, at first or again: what was told before may have been missed. */
  onConnect(): void;
}

/**
 * Hears what transactions tell by `pg_notify` on one channel (Postgres docs, LISTEN): at their commit, all of them, in its
 * order, for as long as `isListening`.
 */
export class PgListener {
  private client: Client | null = null;
  private closed = false;
  private listening = false;

  constructor(
    private readonly url: string,
    private readonly channel: string,
    private readonly listener: PgListenerCallbacks,
  ) {}

  /** False from the moment that the connection is known to be lost until it is there again. */
  get isListening(): boolean {
    return this.listening;
  }

  /** Listens until `close`; connects again as often as it takes. Resolves once it listens for the first time. */
  async open(): Promise<void> {
    await this.connect();
    void this.keep();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.listening = false;
    await this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const client = new Client({
      connectionString: this.url,
      application_name: `listener of ${this.channel}`,
      connectionTimeoutMillis: 5_000,
      query_timeout: PROBE_MS,
    });
    this.client = client;
    client.on('notification', ({ payload = '' }) => this.listener.onNotification(payload));
    const lose = () => {
      if (this.client === client) this.listening = false;
    };
    client.on('error', lose);
    client.on('end', lose);
    await client.connect();
    await client.query(`LISTEN ${client.escapeIdentifier(this.channel)}`);
    this.listening = true;
    this.listener.onConnect();
  }

  private async keep(): Promise<void> {
    while (!this.closed) {
      await sleep(this.listening ? PROBE_MS : RETRY_MS, undefined, { ref: false });
      if (this.closed) return;
      try {
        if (this.listening) await this.client?.query('SELECT 1');
        else await this.connect();
      } catch {
        this.listening = false;
        void this.client?.end().catch(() => undefined);
      }
    }
  }
}
