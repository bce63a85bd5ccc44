import type { z } from 'zod';
import type { ServiceName } from './service-name.js';

/**
 * A best-effort message between services, such as a heartbeat or a live update. Only current subscribers receive it.
 * What must not be lost is an event or an operation.
 */
export interface Signal<S extends z.ZodType = z.ZodType> {
  /** Broker subject; a sender may append one more part. */
  subject: string;
  from: readonly ServiceName[];
  to: readonly ServiceName[];
  payload: S;
}

export function signal<S extends z.ZodType>(subject: string, declaration: Omit<Signal<S>, 'subject'>): Signal<S> {
  return { subject: `sig.${subject}`, ...declaration };
}
