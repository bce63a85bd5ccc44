import type { ServiceName } from '@millrace/contracts/kit/service-name';

/** What a service needs to take part. URLs may carry credentials; a separate broker password goes with the service's name as user. */
export interface MessagingOptions {
  service: ServiceName;
  natsUrl: string;
  natsPassword?: string;
  redisUrl: string;
  /** Installation-wide secret, which encrypts stored answers; of services with a database. */
  secret?: string;
  /** Parse responses against their contract: in tests and development. */
  checkResponses: boolean;
  /** How many jobs of a name run at once, where it is not what the job declares. */
  concurrency?: Record<string, number>;
}

export const MESSAGING_OPTIONS = Symbol('messaging options');

/** Options of a broker connection: never gives up, and its replies come to an inbox that is this service's alone. */
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
    // Else each request makes two errors with their stacks, just in case: 2.4 % of the CPU of a busy service.
    noAsyncTraces: true,
  };
}
