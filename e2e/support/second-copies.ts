import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync, readlinkSync } from 'node:fs';
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
  pid(): number;
  /** Starts it again if it has ended. */
  revive(): Promise<void>;
  /** Stops it as an orchestrator does, and starts a new one when it has ended. @returns the statuses of its readiness on the way */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** How to start a process: what scripts/lib/apps/app-specs.mjs describes. */
export interface ProcessDescription {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
}

/**
 * Starts another copy of a service with the environment of the first one.
 * @param options `args`: additional arguments of Node.js; `env`: additional variables
 */
export async function startSecondCopy(
  system: OwnSystem,
  service: string,
  { suffix, args: more = [], env = {} }: { suffix?: string; args?: string[]; env?: Record<string, string> } = {},
): Promise<SecondCopy> {
  const first = system.pidOf(service);
  const [command = '', ...args] = readNulls(`/proc/${first}/cmdline`);
  const variables = readNulls(`/proc/${first}/environ`).map((entry) => {
    const at = entry.indexOf('=');
    return [entry.slice(0, at), entry.slice(at + 1)] as const;
  });
  const cwd = readlinkSync(`/proc/${first}/cwd`);
  const description = {
    name: service,
    command,
    args: [...more, ...args],
    env: { ...Object.fromEntries(variables), ...env },
  };
  return startCopy(system, { ...description, cwd }, suffix);
}

/** Starts a copy of a service on ports of its own. */
export async function startCopy(system: OwnSystem, description: ProcessDescription, suffix = '2'): Promise<SecondCopy> {
  const { name: service, command, args, cwd } = description;
  const [port, healthPort] = [await freePort(), await freePort()];
  const env = { ...description.env, PORT: String(port), HEALTH_PORT: String(healthPort) };
  const log = openSync(join(system.folder, 'logs', `${service}-${suffix}.log`), 'a', 0o600);
  let child: ChildProcess;
  const start = async () => {
    child = spawn(command, args, { env, cwd, stdio: ['ignore', log, log] });
    const failed = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`Copy ${suffix} of ${service} ended before it was ready: ${code ?? signal}`);
    });
    await Promise.race([waitUntilReady(healthPort), failed]);
  };
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    if (hasEnded()) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  };
  await start();
  return {
    service,
    url: `http://127.0.0.1:${port}`,
    pid: () => child.pid ?? 0,
    revive: async () => {
      if (hasEnded()) await start();
    },
    stop,
    restart: async () => {
      await stop();
      await start();
    },
  };
}

/** Waits until a process is ready, by the probe on its health port. Older releases have one probe at `/health`. */
export const waitUntilReady = (healthPort: number): Promise<void> =>
  eventually(
    async () => {
      const probe = (path: string) => fetch(`http://127.0.0.1:${healthPort}/health${path}`);
      const ready = await probe('/ready');
      const response = ready.status === 404 ? await probe('') : ready;
      expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
    },
    { withinMs: 180_000 },
  );

const readNulls = (path: string): string[] => readFileSync(path, 'utf8').split('\0').filter(Boolean);
