import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { EventType } from '@millrace/contracts/kit/event';
import { Database, type Transaction } from '@millrace/persistence/database';
import { withLogFields } from '../tracing/log-fields.js';
import { describeDeadLetterError, lockDeadEvent } from './dead-letters.js';

type Handler = (payloads: unknown[], tx: Transaction) => Promise<void>;

const INTERVAL_MS = 5_000;
const MAX_BATCH_SIZE = 100;

/**
 * Handles dead events again when an administrator requests it. Only the service that gave an event up handles it: to publish
 * it again would also reach the others, whose inbox may have forgotten it by then.
 */
@Injectable()
export class EventRetries implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(EventRetries.name);
  private readonly handlers = new Map<string, { event: EventType; handler: Handler }>();
  private timer?: NodeJS.Timeout;
  private current: Promise<void> | null = null;

  constructor(private readonly database: Database) {}

  register(event: EventType, handler: Handler): void {
    this.handlers.set(event.name, { event, handler });
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.current ??= this.handleRequested().finally(() => (this.current = null));
    }, INTERVAL_MS);
  }

  private async handleRequested(): Promise<void> {
    try {
      const due = await this.database.client.$queryRaw<{ id: string }[]>`
        SELECT id::text FROM messaging.dead_letter
        WHERE service = ${this.database.service} AND kind = 'event' AND retry_at IS NOT NULL
        ORDER BY retry_at LIMIT ${MAX_BATCH_SIZE}::int`;
      for (const { id } of due) await this.handle(id);
    } catch (error) {
      this.logger.warn({ message: 'Retry of dead events failed; retrying', error, retryInMs: INTERVAL_MS });
    }
  }

  private async handle(id: string): Promise<void> {
    try {
      await this.database.transaction(async (tx) => {
        const dead = await lockDeadEvent(tx, id);
        if (!dead) return;
        const known = this.handlers.get(dead.name);
        if (!known) throw new Error(`This version of the service has no handler for ${dead.name}.`);
        await tx.$executeRaw`DELETE FROM messaging.dead_letter WHERE id = ${id}::uuid`;
        const isNew = await tx.$executeRaw`
          INSERT INTO messaging.inbox (consumer, event) VALUES (${dead.queue}, ${dead.message}::uuid) ON CONFLICT DO NOTHING`;
        if (isNew === 0) return;
        const payload = known.event.payload.parse(dead.payload);
        await withLogFields({ requestId: dead.options?.requestId }, () => known.handler([payload], tx));
        this.logger.log({ message: 'Dead event handled', event: dead.name, eventId: dead.message });
      });
    } catch (error) {
      this.logger.error({ message: 'Dead event failed again', deadLetter: id, error });
      await this.database.client.$executeRaw`
        UPDATE messaging.dead_letter SET retry_at = NULL, failed_at = now(), attempts = attempts + 1,
          error = ${describeDeadLetterError(error)} WHERE id = ${id}::uuid`;
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.current;
  }
}
