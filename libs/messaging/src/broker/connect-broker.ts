import { setTimeout as sleep } from 'node:timers/promises';
import { AuthorizationError, type ConnectionOptions, type NatsConnection } from '@nats-io/nats-core';
import type { LoggerService } from '@nestjs/common';
import { findUntrustedServer } from '@millrace/persistence/connections/untrusted-server-error';
import { isLink } from '../wiring/messaging-options.js';
import { openConnection } from './open-connection.js';

/** How long a service waits between two attempts to connect for the first time. */
const FIRST_CONNECTION_DELAY_MS = 200;

/**
 * Connects to NATS, and waits for a broker that is not up yet.
 * @param logger gets the reason of the wait, once for each reason
 * @throws UntrustedServerError if the broker and this client do not agree on TLS. Waiting would have no end then.
 */
export async function connectBroker(options: ConnectionOptions, logger: LoggerService): Promise<NatsConnection> {
  // The gateway knows why it refuses a joined worker, and the link reports it.
  if (isLink(String(options.servers))) return openConnection(options);
  if (options.tls) await requireTrust(options);
  const reasons = new Set<string>();
  for (;;) {
    try {
      // The client's own wait for the first connection hides why it fails.
      return await openConnection({ ...options, waitOnFirstConnect: false });
    } catch (error) {
      const reason = describe(error);
      if (!reasons.has(reason)) logger.warn(`Waiting for NATS at ${String(options.servers)}: ${reason}`);
      reasons.add(reason);
    }
    await sleep(FIRST_CONNECTION_DELAY_MS);
  }
}

function describe(error: unknown): string {
  if (error instanceof AuthorizationError) return 'it refuses the password of this service (NATS_PASSWORD)';
  return error instanceof Error ? error.message : String(error);
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
