import { isIP } from 'node:net';
import type { TlsOptions } from '@nats-io/nats-core';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { tlsOptions, type TlsFiles } from '@millrace/persistence/connections/tls-options';

/**
 * How a service connects to NATS and Redis. URLs may contain credentials. With `natsPassword`, the user name is that of
 * the service.
 */
export interface MessagingOptions {
  service: ServiceName;
  /**
   * With `tls:`, connections use TLS and verify the server. With `wss:` or `ws:`, a joined worker connects through the gateway
   * with the credentials in the URL.
   */
  natsUrl: string;
  natsTls?: TlsFiles;
  natsPassword?: string;
  /** With `rediss:`, connections use TLS and verify the server. */
  redisUrl: string;
  redisTls?: TlsFiles;
  /** Secret of the installation, which encrypts stored responses; required for a service with a database. */
  secret?: string;
  /** Check the handlers against the contracts, and responses against their schemas: in tests and development. */
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

/** Proxies end a WebSocket that is idle for a minute. */
const LINK_PING_INTERVAL_MS = 20_000;

/** Whether an address is that of a WebSocket of the gateway. */
export const isLink = (url: string): boolean => /^wss?:/.test(url);

/**
 * Options of a broker connection, which reconnects forever and has an inbox of its own service.
 * @throws TlsFileError if a file cannot be used
 */
export function connectionOptions(options: MessagingOptions) {
  const url = new URL(options.natsUrl);
  const user = options.natsPassword === undefined ? decodeURIComponent(url.username) : options.service;
  const pass = options.natsPassword ?? decodeURIComponent(url.password);
  const usesLink = isLink(options.natsUrl);
  return {
    servers: usesLink ? `${url.origin}${url.pathname}` : url.host,
    ...(['tls:', 'wss:'].includes(url.protocol) && { tls: natsTlsOptions(url.hostname, options.natsTls) }),
    name: `millrace-${options.service}`,
    ...(user !== '' && { user, pass }),
    // The gateway lets a joined worker receive responses in an inbox of its own only.
    inboxPrefix: usesLink ? `_INBOX_${options.service}.${user}` : `_INBOX_${options.service}`,
    ...(usesLink && { pingInterval: LINK_PING_INTERVAL_MS, ignoreClusterUpdates: true }),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 200,
    waitOnFirstConnect: true,
    // An authentication failure while the broker restarts must not end the client for good.
    ignoreAuthErrorAbort: true,
    // Otherwise every request creates two errors with stacks in advance: 2.4 % of the CPU of a busy service.
    noAsyncTraces: true,
  };
}

/** The client of NATS verifies the name only. Of a URL with an address, it would look for `localhost` in the certificate. */
function natsTlsOptions(hostname: string, files: TlsFiles = {}): TlsOptions {
  const address = hostname.replace(/^\[|\]$/g, '');
  // Not a copy, because the property with the certificates is read again for each connection.
  return Object.assign(tlsOptions(files), isIP(address) === 0 ? {} : { host: address }) as TlsOptions;
}
