import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below 32768, the first port that Linux uses for outgoing connections: such a connection could occupy the port before the
 * process of the test listens, or while it restarts.
 */
const [MIN_PORT, MAX_PORT] = [20_000, 32_000];

/**
 * Finds a loopback port on which no process listens at the moment.
 * @param count so many consecutive ports are free
 * @returns the first one
 */
export async function freePort(count = 1): Promise<number> {
  for (;;) {
    const first = randomInt(MIN_PORT, MAX_PORT - count);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
