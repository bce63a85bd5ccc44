import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionOptions, NatsConnection } from '@nats-io/nats-core';
import { findUntrustedServer } from '@millrace/persistence/connections/untrusted-server-error';
import { isLink } from '../wiring/messaging-options.js';
import { openConnection } from './open-connection.js';

/**
 * Connects to NATS, and waits for a broker that is not up yet.
 * @throws UntrustedServerError if the broker and this client do not agree on TLS. Waiting would have no end then.
 */
export async function connectBroker(options: ConnectionOptions): Promise<NatsConnection> {
  if (options.tls && !isLink(String(options.servers))) await requireTrust(options);
  return openConnection(options);
}

const [MAX_ATTEMPTS, ATTEMPT_TIMEOUT_MS, RETRY_DELAY_MS] = [10, 3_000, 50];

/**
 * A connection that may reconnect hides why the broker refuses the certificate of a client. An attempt does not always show
 * it either: the broker closes the connection after the handshake, and the reason may get lost. So it is repeated.
 */
async function requireTrust(options: ConnectionOptions): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const timeout = sleep(ATTEMPT_TIMEOUT_MS, false, { ref: false });
    if (await Promise.race([isTrusted(options), timeout])) return;
    await sleep(RETRY_DELAY_MS);
  }
}

/** @returns false if the connection failed for an unknown reason. @throws UntrustedServerError */
async function isTrusted(options: ConnectionOptions): Promise<boolean> {
  try {
    const connection = await openConnection({ ...options, waitOnFirstConnect: false, reconnect: false });
    await connection.close();
    return true;
  } catch (error) {
    const untrusted = findUntrustedServer(error, 'NATS_URL', `tls://${String(options.servers)}`);
    if (untrusted) throw untrusted;
    return false;
  }
}
