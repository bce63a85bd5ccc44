import type { z } from 'zod';
import { serviceOf, type ServiceName } from './service-name.js';

/** Work that a BullMQ worker processes later; see `enqueue` in libs/persistence. */
export interface JobType<S extends z.ZodType = z.ZodType> {
  name: string;
  queue: string;
  source: ServiceName;
  payload: S;
  /** Maximum number of attempts. The delay between them starts at `backoffMs` and doubles. */
  attempts: number;
  backoffMs: number;
  /** Jobs that one instance of the service processes at once. */
  concurrency: number;
}

/** Declares a job. `queue` must not contain `:`, which BullMQ uses as its separator. */
export function job<S extends z.ZodType>(
  name: string,
  declaration: { queue: string; payload: S; attempts?: number; backoffMs?: number; concurrency?: number },
): JobType<S> {
  if (declaration.queue.includes(':')) throw new Error(`The queue name "${declaration.queue}" must not contain ":"`);
  return { attempts: 1, backoffMs: 1000, concurrency: 1, ...declaration, name, source: serviceOf(name) };
}
