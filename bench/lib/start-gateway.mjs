import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../scripts/lib/layout.mjs';
import { findFreePort } from '../../scripts/lib/servers/allot-ports.mjs';
import { readJson } from '../../scripts/lib/write-json.mjs';
import { stopOnSignal } from './stop-on-signal.mjs';

/**
 * Starts one more gateway for a running system.
 * @param {import('./start-system.mjs').BenchSystem} system
 * @param {{ env?: NodeJS.ProcessEnv, preload?: string }} options preload: file in this folder that Node loads first
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startGateway({ folder }, { env = {}, preload }) {
  const secrets = readJson(join(folder, 'secrets.json'));
  const ports = readJson(join(folder, 'ports.json'));
  const port = await findFreePort();
  const preloadArgs = preload ? ['--import', join(ROOT, 'bench', 'lib', preload)] : [];
  const child = spawn(process.execPath, [...preloadArgs, join(ROOT, 'apps', 'gateway', 'dist', 'main.js')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      LOG_LEVEL: 'warn',
      PORT: String(port),
      NATS_URL: `nats://127.0.0.1:${ports.nats}`,
      NATS_PASSWORD: secrets.nats.gateway,
      REDIS_URL: `redis://:${secrets.redis}@127.0.0.1:${ports.redis}/0`,
      MILLRACE_SECRET: secrets.millrace,
      STORAGE_DIR: join(folder, 'objects'),
      ...env,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, 'exit');
  };
  stopOnSignal(stop);
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const response = await fetch(`${url}/health/ready`).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return { url, stop };
    await sleep(100);
  }
  await stop();
  throw new Error('The additional gateway did not become ready within 100 attempts');
}
