import type { z } from 'zod';
import { serviceOf, type ServiceName } from './service-name.js';

/** A fact that a service publishes after it happened; see `emit` in libs/persistence. */
export interface EventType<S extends z.ZodType = z.ZodType> {
  /** `<service>.<resource>.<past participle>` */
  name: string;
  version: number;
  source: ServiceName;
  /**
   * Services that handle it. Their broker permissions derive from this list, and a missing handler fails their boot.
   */
  consumers: readonly ServiceName[];
  payload: S;
}

/** Declares an event. New payload fields must be optional, so that messages in flight still parse. */
export function event<S extends z.ZodType>(
  name: string,
  declaration: { version: number; consumers: readonly ServiceName[]; payload: S },
): EventType<S> {
  return { name, source: serviceOf(name), ...declaration };
}

export type Payload<E extends { payload: z.ZodType }> = z.output<E['payload']>;

/** The JetStream stream that stores all events of one service. */
export const eventStreamOf = (service: ServiceName): string => `events-${service}`;
export const eventSubjectOf = (event: EventType): string => `evt.${event.name}.v${event.version}`;
/** The durable consumer of one (service, event) pair. NATS before 2.10 filters a consumer by one subject only. */
export const consumerOf = (consumer: ServiceName, event: EventType): string =>
  `${consumer}_${event.name.replaceAll('.', '-')}_v${event.version}`;
