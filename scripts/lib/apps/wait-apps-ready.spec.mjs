import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { dataLayout } from '../layout.mjs';
import { Supervisor } from '../process/supervisor.mjs';
import { waitAppsReady } from './wait-apps-ready.mjs';

it('a service with invalid settings fails the start at once, with its message', async () => {
  const layout = dataLayout(mkdtempSync(join(tmpdir(), 'apps-ready-')));
  mkdirSync(layout.logs);
  mkdirSync(layout.run);
  /** @type {string[]} */
  const events = [];
  const supervisor = new Supervisor(layout, 'test', (event) => void events.push(event));
  const script = 'echo WORKER_SLOTS is too small; exit 78';
  const spec = { command: 'sh', args: ['-c', script], env: process.env, cwd: layout.dir };
  try {
    await supervisor.start({ name: 'worker', logFile: layout.log('worker'), ...spec });
    const options = { timeoutMs: 30_000, signal: new AbortController().signal, waitForRepair: true };
    await expect(waitAppsReady(supervisor, ['worker'], 'http://127.0.0.1:1', options)).rejects.toThrow(
      /^worker cannot start with these settings.*\n[^]*WORKER_SLOTS is too small/,
    );
    expect(events[0]).toContain('ended with code 78');
  } finally {
    supervisor.killAll();
    supervisor.close();
    rmSync(layout.dir, { recursive: true, force: true });
  }
});
