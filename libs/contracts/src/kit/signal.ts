import type { z } from 'zod';
import type { ServiceName } from './service-name.js';

/**
 * A message of the moment between services (a heartbeat, a live update): heard by all who listen right now, lost
 * otherwise. What must not be lost is an event or an operation.
 */
export interface Signal<S extends z.ZodType = z.ZodType> {
  /** Broker subject; senders may add one more part to it. */
  subject: string;
  from: readonly ServiceName[];
  to: readonly ServiceName[];
  payload: S;
}

export function signal<S extends z.ZodType>(subject: string, declared: Omit<Signal<S>, 'subject'>): Signal<S> {
  return { subject: `sig.${subject}`, ...declared };
}
