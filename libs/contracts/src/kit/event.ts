import type { z } from 'zod';
import { serviceOf, type ServiceName } from './service-name.js';

/** Something that happened, told after the fact to whoever listens; see `emit` in libs/persistence. */
export interface EventType<S extends z.ZodType = z.ZodType> {
  /** `<service>.<resource>.<past participle>` */
  name: string;
  version: number;
  source: ServiceName;
  /** Services that must hear it. Their permissions at the broker come from here; a missing listener fails their boot. */
  consumers: readonly ServiceName[];
  payload: S;
}

/** Declares an event. New payload fields must be optional, so that messages in flight still parse. */
export function event<S extends z.ZodType>(
  name: string,
  declared: { version: number; consumers: readonly ServiceName[]; payload: S },
): EventType<S> {
  return { name, source: serviceOf(name), ...declared };
}

export type Payload<E extends { payload: z.ZodType }> = z.output<E['payload']>;

/** JetStream stream that holds all events of one service. */
export const eventStreamOf = (service: ServiceName): string => `events-${service}`;
export const eventSubjectOf = (event: EventType): string => `evt.${event.name}.v${event.version}`;
/** Durable consumer: one a (listener, event), since brokers before 2.10 filter by one subject only. */
export const consumerOf = (listener: ServiceName, event: EventType): string =>
  `${listener}_${event.name.replaceAll('.', '-')}_v${event.version}`;
