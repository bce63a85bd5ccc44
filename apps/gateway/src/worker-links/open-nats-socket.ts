import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { connectionOptions, type MessagingOptions } from '@millrace/messaging/wiring/messaging-options';

const TIMEOUT_MS = 5_000;
const MAX_INFO_BYTES = 64 * 1024;
const DEFAULT_PORT = 4222;

/** What a NATS server sends first, as far as this code uses it. */
interface ServerInfo {
  max_payload: number;
  tls_required?: boolean;
  tls_available?: boolean;
}

/** A connection to NATS on which nothing was sent yet. */
export interface NatsSocket {
  socket: Socket;
  info: ServerInfo & Record<string, unknown>;
  user: string | undefined;
  pass: string | undefined;
}

/**
 * Connects to NATS as the client library does: NATS introduces itself in clear text before the handshake of TLS.
 * @throws Error if NATS does not respond, or is not trusted
 */
export async function openNatsSocket(options: MessagingOptions): Promise<NatsSocket> {
  const { servers, tls, user, pass } = {
    tls: undefined,
    user: undefined,
    pass: undefined,
    ...connectionOptions(options),
  };
  const url = new URL(`nats://${servers}`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const plain = connect({ host, port: Number(url.port || DEFAULT_PORT), noDelay: true });
  // Without a listener, an error would end the process. The user of the socket handles its end.
  plain.on('error', () => undefined);
  // Also if the other side closes the connection, which is no error.
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    await once(plain, 'connect', { signal });
    const info = await readInfo(plain, signal);
    if (tls) return { socket: await secure(plain, { tls, host, signal }), info, user, pass };
    if (info.tls_required === true) throw new Error('NATS requires TLS: NATS_URL must begin with tls://');
    return { socket: plain, info, user, pass };
  } catch (error) {
    plain.destroy();
    throw signal.aborted ? new Error('NATS does not respond', { cause: error }) : error;
  }
}

async function readInfo(socket: Socket, signal: AbortSignal): Promise<NatsSocket['info']> {
  let received = Buffer.alloc(0);
  while (!received.includes('\r\n')) {
    const [chunk] = (await once(socket, 'data', { signal })) as [Buffer];
    received = Buffer.concat([received, chunk]);
    if (received.length > MAX_INFO_BYTES) throw new Error('NATS sends an introduction that is too long');
  }
  socket.pause();
  const text = received.toString().trim();
  if (!text.startsWith('INFO ')) throw new Error('The server at NATS_URL is not NATS');
  return JSON.parse(text.slice('INFO '.length)) as NatsSocket['info'];
}

async function secure(
  socket: Socket,
  { tls, host, signal }: { tls: object; host: string; signal: AbortSignal },
): Promise<Socket> {
  const secured = connectTls({ socket, host, ...('host' in tls ? {} : { servername: host }), ...contextOf(tls) });
  secured.on('error', () => undefined);
  await once(secured, 'secureConnect', { signal });
  return secured;
}

/** The certificates are read for each connection. */
const contextOf = (tls: { secureContext?: unknown }): object => ({
  secureContext: tls.secureContext,
  rejectUnauthorized: true,
});
