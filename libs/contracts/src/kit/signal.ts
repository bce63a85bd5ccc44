import type { z } from 'zod';
import type { ServiceName } from './service-name.js';

/**
 * A message of the moment between services (a heartbeat, a live update): heard by all who listen right now, lost
 * otherwise. What must not be lost is an event, or a `durable` signal, which the broker keeps until it is acknowledged.
 */
export interface Signal<S extends z.ZodType = z.ZodType> {
  /** Broker subject; senders may add one more part to it. */
  subject: string;
  from: readonly ServiceName[];
  to: readonly ServiceName[];
  payload: S;
  durable: boolean;
}

export function signal<S extends z.ZodType>(
  subject: string,
  declared: Omit<Signal<S>, 'subject' | 'durable'>,
): Signal<S> {
  return { subject: `sig.${subject}`, durable: false, ...declared };
}

/** A signal kept by the broker (a work-queue stream named like the subject) until its one receiver has dealt with it. */
export function durableSignal<S extends z.ZodType>(
  subject: string,
  declared: Omit<Signal<S>, 'subject' | 'durable'>,
): Signal<S> {
  return { subject: `sig.${subject}`, durable: true, ...declared };
}

export const signalStreamOf = (signal: Signal): string => signal.subject.replaceAll('.', '-');
