import type { TlsOptions } from '@nats-io/nats-core';
import { WebSocket } from 'ws';

interface LinkOptions {
  user: string;
  pass: string;
  tls: TlsOptions | null | undefined;
}

/** EX_NOPERM of sysexits.h: a restart with the same credentials would fail the same way. */
const REFUSED_EXIT_CODE = 77;

/**
 * Opens the WebSocket with which a joined worker reaches NATS through the gateway. If the gateway refuses the key, the process
 * ends: the worker was revoked, and its steps already run elsewhere.
 */
export async function openLink(
  url: string,
  { user, pass, tls }: LinkOptions,
): Promise<{ socket: never; encrypted: boolean }> {
  const socket = new WebSocket(url, { auth: `${user}:${pass}`, perMessageDeflate: false, ...secureContextOf(tls) });
  socket.on('error', ({ message }: Error) => {
    if (!message.endsWith('response: 401')) return;
    process.stderr.write(
      'The installation refuses the key of this worker: it was revoked, or joined another installation.\n',
    );
    process.exit(REFUSED_EXIT_CODE);
  });
  return Promise.resolve({ socket: socket as never, encrypted: url.startsWith('wss:') });
}

/** The certificates are read again for each connection. */
function secureContextOf(tls: LinkOptions['tls']): object {
  return tls ? { secureContext: (tls as { secureContext?: unknown }).secureContext, rejectUnauthorized: true } : {};
}
