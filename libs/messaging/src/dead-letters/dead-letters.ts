import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';

/** An event or a job that failed for good. */
export interface NewDeadLetter {
  kind: 'event' | 'job';
  name: string;
  /** Queue of the job, or consumer of the event. */
  queue: string;
  /** Id of the job or of the event. */
  message: string;
  payload: unknown;
  options?: object;
  error: unknown;
  attempts: number;
}

/** Errors may quote a whole response of another system. */
const MAX_ERROR_LENGTH = 2_000;

/** Stores what failed for good, so that an administrator can handle it again or drop it (docs/guides/administration.md). */
@Injectable()
export class DeadLetters {
  constructor(private readonly database: Database) {}

  /** A message that fails for good again keeps its row. */
  async record(letter: NewDeadLetter): Promise<void> {
    const { kind, name, queue, message, payload, options, error, attempts } = letter;
    await this.database.client.$executeRaw`
      INSERT INTO messaging.dead_letter (id, service, kind, name, queue, message, payload, options, error, attempts)
      VALUES (${newId()}::uuid, ${this.database.service}, ${kind}, ${name}, ${queue}, ${message},
        ${JSON.stringify(payload ?? null)}::jsonb, ${options ? JSON.stringify(options) : null}::jsonb,
        ${describeDeadLetterError(error)}, ${attempts}::int)
      ON CONFLICT (queue, message) DO UPDATE SET payload = excluded.payload, options = excluded.options,
        error = excluded.error, attempts = excluded.attempts, failed_at = now(), retry_at = NULL`;
  }
}

/** Text without what Postgres cannot store. */
export function describeDeadLetterError(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replaceAll('\0', '').toWellFormed().slice(0, MAX_ERROR_LENGTH);
}

/** Locks a dead event that is to be handled again. @returns null if another copy of the service has it */
export async function lockDeadEvent(tx: Transaction, id: string): Promise<DeadEvent | null> {
  const [event] = await tx.$queryRaw<DeadEvent[]>`
    SELECT name, queue, message, payload, options FROM messaging.dead_letter
    WHERE id = ${id}::uuid AND retry_at IS NOT NULL FOR UPDATE SKIP LOCKED`;
  return event ?? null;
}

export interface DeadEvent {
  name: string;
  queue: string;
  message: string;
  payload: unknown;
  options: { requestId?: string } | null;
}
