import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy to a server on this machine that records all traffic in both directions. */
export interface Wiretap {
  port: number;
  /** The recorded bytes, one buffer for each connection and direction. */
  recordedBytes(): Buffer[];
  stop(): Promise<void>;
}

export async function startWiretap(target: number): Promise<Wiretap> {
  const recordings: Buffer[][] = [];
  const open = new Set<Socket>();
  const forward = (from: Socket, to: Socket) => {
    const chunks: Buffer[] = [];
    recordings.push(chunks);
    open.add(from);
    from.on('data', (bytes: Buffer) => chunks.push(bytes));
    from
      .on('error', () => to.destroy())
      .on('close', () => {
        open.delete(from);
        to.destroy();
      });
    from.pipe(to);
  };
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    forward(client, upstream);
    forward(upstream, client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    recordedBytes: () => recordings.map((chunks) => Buffer.concat(chunks)),
    stop: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
