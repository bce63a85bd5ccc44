import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environmentOf } from '../../scripts/lib/process/environment-of.mjs';
import { findFreePort } from '../../scripts/lib/servers/allot-ports.mjs';
import { stopOnSignal } from './stop-on-signal.mjs';

/** @typedef {{ service: string, pid: number, url: string, healthPort: number, stop: () => Promise<void> }} Copy `url`: of the gateway */

const START_TIMEOUT_MS = 60_000;

/**
 * Starts one more copy of a service of a running system, with the environment of the first one but ports of its own.
 * @param {import('./start-system.mjs').BenchSystem} system
 * @param {string} service
 * @returns {Promise<Copy>}
 * @throws Error if it does not become ready within a minute
 */
export async function startCopy({ folder }, service) {
  const first = Number(readFileSync(join(folder, 'run', `${service}.pid`), 'utf8'));
  const [command = '', ...args] = readFileSync(`/proc/${first}/cmdline`, 'utf8').split('\0').filter(Boolean);
  const [port, healthPort] = [await findFreePort(), await findFreePort()];
  const env = { ...environmentOf(first), PORT: String(port), HEALTH_PORT: String(healthPort) };
  const log = openSync(join(folder, 'logs', `${service}-2.log`), 'a', 0o600);
  const cwd = readlinkSync(`/proc/${first}/cwd`);
  // A session of its own, as the supervisor gives the first copy: Linux shares processors among sessions (sched(7), autogroup).
  const child = spawn(command, args, { env, cwd, stdio: ['ignore', log, log], detached: true });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    if (hasEnded()) return;
    child.kill();
    await once(child, 'exit');
  };
  stopOnSignal(stop);
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && !hasEnded()) {
    const response = await fetch(`http://127.0.0.1:${healthPort}/health/ready`).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return { service, pid: child.pid ?? NaN, url: `http://127.0.0.1:${port}`, healthPort, stop };
    await sleep(200);
  }
  await stop();
  throw new Error(`The second copy of ${service} did not become ready within ${START_TIMEOUT_MS / 1000} s.`);
}
