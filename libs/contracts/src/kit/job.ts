import type { z } from 'zod';
import { serviceOf, type ServiceName } from './service-name.js';

/** Work to be done later by a BullMQ worker; see `enqueue` in libs/persistence. */
export interface JobType<S extends z.ZodType = z.ZodType> {
  name: string;
  queue: string;
  source: ServiceName;
  payload: S;
  /** Tries in all; between them the wait doubles from `backoffMs`. */
  attempts: number;
  backoffMs: number;
  /** How many one copy of the service has in hand at once. */
  concurrency: number;
}

/** Declares a job. `queue` must hold no `:` (BullMQ's separator). */
export function job<S extends z.ZodType>(
  name: string,
  declared: { queue: string; payload: S; attempts?: number; backoffMs?: number; concurrency?: number },
): JobType<S> {
  if (declared.queue.includes(':')) throw new Error(`Queue "${declared.queue}" must not hold ":"`);
  return { attempts: 1, backoffMs: 1000, concurrency: 1, ...declared, name, source: serviceOf(name) };
}
