import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { eventually } from '@millrace/testkit/eventually';
import { freePort } from '@millrace/testkit/free-port';
import type { OwnSystem } from './own-system.js';

/** Another copy of a service of a system, which this process runs and the supervisor of the system does not know. */
export interface SecondCopy {
  service: string;
  /** Of the gateway: where it listens. */
  url: string;
  /** Stops it as an orchestrator does, and starts a new one when it has ended. @returns the statuses of its readiness on the way */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts another copy of a service with the environment of the first one. */
export async function startSecondCopy(system: OwnSystem, service: string): Promise<SecondCopy> {
  const first = system.pidOf(service);
  const [command = '', ...args] = readNulls(`/proc/${first}/cmdline`);
  const variables = readNulls(`/proc/${first}/environ`).map((entry) => {
    const at = entry.indexOf('=');
    return [entry.slice(0, at), entry.slice(at + 1)] as const;
  });
  const [port, healthPort] = [await freePort(), await freePort()];
  const env = { ...Object.fromEntries(variables), PORT: String(port), HEALTH_PORT: String(healthPort) };
  const log = openSync(join(system.folder, 'logs', `${service}-2.log`), 'a', 0o600);
  let child: ChildProcess;
  const start = async () => {
    child = spawn(command, args, { env, cwd: `/proc/${system.pidOf(service)}/cwd`, stdio: ['ignore', log, log] });
    await waitUntilReady(healthPort);
  };
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  };
  await start();
  return {
    service,
    url: `http://127.0.0.1:${port}`,
    stop,
    restart: async () => {
      await stop();
      await start();
    },
  };
}

/** Waits until a process is ready, by the probe on its health port. */
export const waitUntilReady = (healthPort: number): Promise<void> =>
  eventually(
    async () => {
      const response = await fetch(`http://127.0.0.1:${healthPort}/health/ready`);
      expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
    },
    { withinMs: 60_000 },
  );

const readNulls = (path: string): string[] => readFileSync(path, 'utf8').split('\0').filter(Boolean);
