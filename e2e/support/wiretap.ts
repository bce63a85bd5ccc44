import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server of this machine that keeps all that passes, both ways. */
export interface Wiretap {
  port: number;
  /** What has passed, by connection and direction. */
  recordedBytes(): Buffer[];
  stop(): Promise<void>;
}

export async function startWiretap(target: number): Promise<Wiretap> {
  const passed: Buffer[][] = [];
  const open = new Set<Socket>();
  const pass = (from: Socket, to: Socket) => {
    const kept: Buffer[] = [];
    passed.push(kept);
    open.add(from);
    from.on('data', (bytes: Buffer) => kept.push(bytes));
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
    pass(client, upstream);
    pass(upstream, client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    recordedBytes: () => passed.map((kept) => Buffer.concat(kept)),
    stop: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
