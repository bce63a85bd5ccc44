import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

export interface PrivateRedis {
  url: string;
  /** Sends a signal: SIGKILL ends the server, SIGSTOP makes it hang, SIGCONT resumes it. */
  signal(signal: NodeJS.Signals): Promise<void>;
  /** Starts it again, empty, on the same port. */
  start(): Promise<void>;
  /** The number of calls of a command. */
  countCalls(command: string): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a redis-server without persistence for this suite alone, on a free loopback port. A test may kill it. */
export async function privateRedis(): Promise<PrivateRedis> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let server: ChildProcess;
  const withClient = async <T>(work: (client: Redis) => Promise<T>): Promise<T> => {
    const client = new Redis(url, { maxRetriesPerRequest: 0, retryStrategy: () => null }).on('error', () => undefined);
    try {
      return await work(client);
    } finally {
      client.disconnect();
    }
  };
  const start = async () => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    server = spawn('redis-server', args, { stdio: 'ignore' });
    await eventually(() => withClient((client) => client.ping()));
  };
  const signal = async (name: NodeJS.Signals) => {
    const exited = once(server, 'exit');
    server.kill(name);
    if (name !== 'SIGSTOP' && name !== 'SIGCONT') await exited;
  };
  await start();
  return {
    url,
    signal,
    start,
    countCalls: (command) =>
      withClient(async (client) => {
        const stats = await client.info('commandstats');
        return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
      }),
    stop: async () => {
      if (server.exitCode === null && server.signalCode === null) await signal('SIGKILL');
    },
  };
}
