import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A connection of a client through a link. */
export interface LinkedConnection {
  client: Socket;
  server: Socket;
}

/** A network path to a server on this machine that a test can interrupt. */
export interface Link {
  port: number;
  /** From now on nothing arrives, in either direction. Connections stay open, as with a router that drops packets. */
  cut(): void;
  /** Delivers what was sent in the meantime, late and in order. */
  restore(): void;
  stop(): Promise<void>;
}

/**
 * Starts a link.
 * @param forward passes on what a client sends; it may change it. By default, everything is passed on unchanged.
 */
export async function startLink(
  target: number,
  forward: (connection: LinkedConnection, bytes: Buffer) => void = ({ server }, bytes) => void server.write(bytes),
): Promise<Link> {
  const open = new Set<Socket>();
  let isCut = false;
  const track = (socket: Socket, other: Socket) => {
    open.add(socket);
    socket
      .on('error', () => other.destroy())
      .on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    if (isCut) socket.pause();
  };
  const listener = createServer((client) => {
    const server = connect(target, '127.0.0.1');
    client.on('data', (bytes: Buffer) => forward({ client, server }, bytes));
    server.on('data', (bytes: Buffer) => void client.write(bytes));
    track(client, server);
    track(server, client);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    cut: () => {
      isCut = true;
      for (const socket of open) socket.pause();
    },
    restore: () => {
      isCut = false;
      for (const socket of open) socket.resume();
    },
    stop: async () => {
      for (const socket of open) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
