import type { ServiceName } from '@millrace/contracts/kit/service-name';

/**
 * How a service connects to NATS and Redis. URLs may contain credentials. With `natsPassword`, the user name is that of
 * the service.
 */
export interface MessagingOptions {
  service: ServiceName;
  natsUrl: string;
  natsPassword?: string;
  redisUrl: string;
  /** Secret of the installation, which encrypts stored responses; required for a service with a database. */
  secret?: string;
  /** Parse responses against their contract: in tests and development. */
  checkResponses: boolean;
  /** How long events are kept; a week by default. */
  eventRetentionMs?: number;
  /** The queue that this process takes a job from, by job name, if it is not the declared one. */
  queues?: Record<string, string>;
  /** Deliveries after which an event that fails counts as dead; 60 by default. */
  maxEventDeliveries?: number;
  /** Days for which events and jobs that failed for good are kept; 30 by default. */
  deadLetterDays?: number;
  /** Concurrency by job name, if it differs from the declaration of the job. */
  concurrency?: Record<string, number>;
}

export const MESSAGING_OPTIONS = Symbol('messaging options');

/** Options of a broker connection, which reconnects forever and has an inbox of its own service. */
export function connectionOptions(options: MessagingOptions) {
  const url = new URL(options.natsUrl);
  const user = options.natsPassword === undefined ? decodeURIComponent(url.username) : options.service;
  const pass = options.natsPassword ?? decodeURIComponent(url.password);
  return {
    servers: url.host,
    name: `millrace-${options.service}`,
    ...(user !== '' && { user, pass }),
    inboxPrefix: `_INBOX_${options.service}`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 200,
    waitOnFirstConnect: true,
    // An authentication failure while the broker restarts must not end the client for good.
    ignoreAuthErrorAbort: true,
    // Otherwise every request creates two errors with stacks in advance: 2.4 % of the CPU of a busy service.
    noAsyncTraces: true,
  };
}
