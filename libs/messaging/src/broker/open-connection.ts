import { wsconnect, type ConnectionOptions, type NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { isLink } from '../wiring/messaging-options.js';
import { openLink } from './open-link.js';

/** Opens a connection to NATS: to the server itself, or through the gateway if the address is that of a WebSocket. */
export function openConnection(options: ConnectionOptions): Promise<NatsConnection> {
  if (!isLink(String(options.servers))) return connect(options);
  const { tls, user, pass, ...rest } = options;
  const wsFactory = (url: string) => openLink(url, { user: user ?? '', pass: pass ?? '', tls });
  return wsconnect({ ...rest, wsFactory });
}
