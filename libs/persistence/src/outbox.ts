import { ApiError } from '@millrace/contracts/kit/api-error';
import type { EventType, Payload } from '@millrace/contracts/kit/event';
import type { JobType } from '@millrace/contracts/kit/job';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { newId } from './ids.js';

export interface JobOptions {
  /**
   * Stable id: a job is not enqueued again while one with the same id is waiting. Must not contain `:` or be an
   * integer.
   */
  id?: string;
  delayMs?: number;
  /** The trace that the job belongs to, if it is another than that of the current work. */
  traceparent?: string;
  /** The queue, if the job has several; by default the one that it declares. */
  queue?: string;
}

/** What caused an event or job. It travels with them, so that log lines and spans of their effects can be found. */
export interface Cause {
  /** The request. Absent if there is none, or several. */
  requestId?: string;
  /** The span that caused it, as in W3C Trace Context. Absent without tracing. */
  traceparent?: string;
}

/** Stored in the outbox beside an event or job. Entries of earlier versions have no cause. */
export interface OutboxOptions extends JobOptions, Cause {}

/** An event or job that a transaction hands to the outbox relay. */
export interface OutboxEntry {
  id: string;
  kind: 'event' | 'job';
  name: string;
  payload: unknown;
  options: OutboxOptions;
}

/** Collects the events and jobs of a transaction, which writes them to the outbox. */
export class OutboxDraft {
  readonly entries: OutboxEntry[] = [];

  /** @param cause of the transaction */
  constructor(
    private readonly service: ServiceName,
    private readonly cause: Cause = {},
  ) {}

  emit<E extends EventType>(event: E, payload: Payload<E>): void {
    if (event.source !== this.service)
      throw new Error(`Only the ${event.source} service may emit ${event.name}, not ${this.service}`);
    this.add('event', event.name, event.payload.parse(payload), {});
  }

  enqueue<J extends JobType>(job: J, payload: Payload<J>, options: JobOptions = {}): void {
    const { id } = options;
    if (id !== undefined && (id.includes(':') || /^\d+$/.test(id))) {
      throw new ApiError('internal_error', `The job id "${id}" must not contain ":" or be an integer`);
    }
    this.add('job', job.name, job.payload.parse(payload), options);
  }

  private add(kind: OutboxEntry['kind'], name: string, payload: unknown, options: JobOptions): void {
    this.entries.push({ id: newId(), kind, name, payload, options: { ...this.cause, ...options } });
  }
}
