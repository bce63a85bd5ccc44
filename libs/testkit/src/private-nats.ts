import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICES, type ServiceName } from '@millrace/contracts/kit/service-name';
import { renderNatsConfig } from '@millrace/messaging/broker/nats-config';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

export interface PrivateNats {
  url: string;
  passwords: Record<ServiceName, string>;
  /** JetStream's data folder. */
  storeDir: string;
  /** Kills the broker, like a power failure. */
  kill(): Promise<void>;
  /** Starts it again on the same port. `wipe` deletes its data, like the loss of its disk. */
  start(options?: { wipe: boolean }): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a nats-server for this suite alone, with the permissions of the real configuration, on a free loopback port. */
export async function privateNats(): Promise<PrivateNats> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-nats-'));
  const storeDir = join(folder, 'jetstream');
  const config = join(folder, 'nats.conf');
  const log = join(folder, 'nats.log');
  const port = await freePort();
  const passwords = Object.fromEntries(SERVICES.map((service) => [service, randomBytes(12).toString('hex')])) as Record<
    ServiceName,
    string
  >;
  await writeFile(config, renderNatsConfig({ host: '127.0.0.1', port, storeDir, passwords }), { mode: 0o600 });
  let server: ChildProcess | null = null;
  const terminate = async (signal: NodeJS.Signals) => {
    if (server && server.exitCode === null && server.signalCode === null) {
      const exited = once(server, 'exit');
      server.kill(signal);
      await exited;
    }
    server = null;
  };
  const start = async ({ wipe }: { wipe: boolean } = { wipe: false }) => {
    if (wipe) await rm(storeDir, { recursive: true, force: true });
    server = spawn('nats-server', ['-c', config, '-l', log], { stdio: 'ignore' });
    await Promise.race([eventually(() => checkPort(port)), rejectOnExit(server, log)]);
  };
  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    passwords,
    storeDir,
    kill: () => terminate('SIGKILL'),
    start,
    stop: async () => {
      await terminate('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function checkPort(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}

async function rejectOnExit(server: ChildProcess, log: string): Promise<never> {
  const [reason] = (await Promise.race([once(server, 'error'), once(server, 'exit')])) as [unknown];
  const logged = await readFile(log, 'utf8').catch(() => '');
  throw new Error(`nats-server did not start: ${String(reason)}\n${logged}`);
}
