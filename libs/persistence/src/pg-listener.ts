import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { postgresOptions, type PostgresOptions, type PostgresServer } from './connections/postgres-options.js';
import { retryTimeouts } from './connections/retry-timeouts.js';

const RECONNECT_DELAY_MS = 200;
/** Probing detects a connection that was lost silently. */
const PROBE_INTERVAL_MS = 2_000;

export interface PgListenerCallbacks {
  /** A notification arrived. */
  onNotification(payload: string): void;
  /** Listening has started or resumed. Earlier notifications may have been missed. */
  onConnect(): void;
}

/**
 * Receives `pg_notify` notifications of one channel (Postgres docs, LISTEN): all of them, at the commit of their
 * transactions and in commit order, while `isListening`.
 */
export class PgListener {
  private client: Client | null = null;
  private isClosed = false;
  private hasSubscription = false;

  private readonly options: PostgresOptions;

  constructor(
    server: PostgresServer,
    private readonly channel: string,
    private readonly callbacks: PgListenerCallbacks,
  ) {
    this.options = postgresOptions(server);
  }

  /** False from the detection of a lost connection until the reconnection. */
  get isListening(): boolean {
    return this.hasSubscription;
  }

  /**
   * Listens until `close`, and reconnects as often as needed. Resolves when it listens for the first time.
   * @throws the error of the first connection, unless it only took too long
   */
  async open(): Promise<void> {
    await retryTimeouts(() => this.connect());
    void this.monitor();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.hasSubscription = false;
    await this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const client = new Client({
      ...this.options,
      application_name: `listener of ${this.channel}`,
      connectionTimeoutMillis: 5_000,
      query_timeout: PROBE_INTERVAL_MS,
    });
    this.client = client;
    client.on('notification', ({ payload = '' }) => this.callbacks.onNotification(payload));
    const handleLoss = () => {
      if (this.client === client) this.hasSubscription = false;
    };
    client.on('error', handleLoss);
    client.on('end', handleLoss);
    try {
      await client.connect();
      await client.query(`LISTEN ${client.escapeIdentifier(this.channel)}`);
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    this.hasSubscription = true;
    this.callbacks.onConnect();
  }

  private async monitor(): Promise<void> {
    while (!this.isClosed) {
      await sleep(this.hasSubscription ? PROBE_INTERVAL_MS : RECONNECT_DELAY_MS, undefined, { ref: false });
      if (this.isClosed) return;
      try {
        if (this.hasSubscription) await this.client?.query('SELECT 1');
        else await this.connect();
      } catch {
        this.hasSubscription = false;
        void this.client?.end().catch(() => undefined);
      }
    }
  }
}
