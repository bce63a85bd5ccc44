import { connect, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node';
import { findUntrustedServer } from '@millrace/persistence/connections/untrusted-server-error';

/**
 * Connects to NATS, and waits for a broker that is not up yet.
 * @throws UntrustedServerError if the broker and this client do not agree on TLS. Waiting would have no end then.
 */
export async function connectBroker(options: ConnectionOptions): Promise<NatsConnection> {
  if (options.tls) await requireTrust(options);
  return connect(options);
}

/** A connection that may reconnect hides why the broker refuses the certificate of a client. */
async function requireTrust(options: ConnectionOptions): Promise<void> {
  try {
    const connection = await connect({ ...options, waitOnFirstConnect: false, reconnect: false });
    await connection.close();
  } catch (error) {
    const untrusted = findUntrustedServer(error, 'NATS_URL', `tls://${String(options.servers)}`);
    if (untrusted) throw untrusted;
  }
}
