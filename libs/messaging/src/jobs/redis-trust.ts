import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { tlsOptions, type ServerTlsOptions } from '@millrace/persistence/connections/tls-options';
import { findUntrustedServer } from '@millrace/persistence/connections/untrusted-server-error';
import { MESSAGING_OPTIONS, type MessagingOptions } from '../wiring/messaging-options.js';

/** A server that does not respond in this time is not up yet; the clients of Redis wait for it. */
const RESPONSE_TIMEOUT_MS = 3_000;

/**
 * Ends the start of a service if Redis and this client do not agree on TLS. The clients of Redis would connect again
 * forever, and the gateway would let all requests through.
 */
@Injectable()
export class RedisTrust implements OnModuleInit {
  constructor(@Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions) {}

  /** @throws UntrustedServerError */
  async onModuleInit(): Promise<void> {
    const { redisUrl, redisTls } = this.options;
    if (!redisUrl.startsWith('rediss:')) return;
    const error = await tryHandshake(new URL(redisUrl), tlsOptions(redisTls ?? {}));
    const untrusted = error && findUntrustedServer(error, 'REDIS_URL', redisUrl);
    if (untrusted) throw untrusted;
  }
}

/**
 * Sends PING, because a server refuses a certificate of the client after the handshake (RFC 8446, 2).
 * @returns why no response arrived; null after a response or the timeout
 */
function tryHandshake(url: URL, tls: ServerTlsOptions): Promise<Error | null> {
  const name = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({
      host: name,
      port: Number(url.port || 6379),
      ...(isIP(name) === 0 && { servername: name }),
      ...tls,
    });
    const finish = (error: Error | null): void => {
      socket.destroy();
      resolve(error);
    };
    socket.setTimeout(RESPONSE_TIMEOUT_MS, () => finish(null));
    socket.once('error', finish);
    socket.once('data', () => finish(null));
    socket.once('close', () => finish(null));
    socket.write('PING\r\n');
  });
}
