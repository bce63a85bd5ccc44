import { ApiError } from '@millrace/contracts/kit/api-error';
import type { EventType, Payload } from '@millrace/contracts/kit/event';
import type { JobType } from '@millrace/contracts/kit/job';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { newId } from './ids.js';

export interface JobOptions {
  /** Stable name: a job that is waiting under the same id is not added again. No `:`, not an integer. */
  id?: string;
  delayMs?: number;
}

/** What a transaction leaves behind to be told or done once it is committed. */
export interface OutboxEntry {
  id: string;
  kind: 'event' | 'job';
  name: string;
  payload: unknown;
  options: JobOptions;
}

/** Collects a transaction's events and jobs; they are written with it and relayed after it. */
export class OutboxDraft {
  readonly entries: OutboxEntry[] = [];

  constructor(private readonly service: ServiceName) {}

  emit<E extends EventType>(event: E, payload: Payload<E>): void {
    if (event.source !== this.service)
      throw new Error(`${event.name} is ${event.source}'s to emit, not ${this.service}'s`);
    this.add('event', event.name, event.payload.parse(payload), {});
  }

  enqueue<J extends JobType>(job: J, payload: Payload<J>, options: JobOptions = {}): void {
    const { id } = options;
    if (id !== undefined && (id.includes(':') || /^\d+$/.test(id))) {
      throw new ApiError('internal_error', `Job id "${id}" must hold no ":" and not be an integer`);
    }
    this.add('job', job.name, job.payload.parse(payload), options);
  }

  private add(kind: OutboxEntry['kind'], name: string, payload: unknown, options: JobOptions): void {
    this.entries.push({ id: newId(), kind, name, payload, options });
  }
}
