import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from '@jest/globals';
import { LogWriter } from './log-writer.js';

const folder = mkdtempSync(join(tmpdir(), 'log-writer-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A device that is always full (full(4)). */
const FULL = '/dev/full';

it('LogWriter drops lines while the disk is full and logs their number once there is space', () => {
  const full = openSync(FULL, 'w');
  const writer = new LogWriter('auth', full);
  for (let count = 0; count < 3; count += 1) writer.write(`{"lost":${count}}\n`);
  closeSync(full);
  const file = join(folder, 'out.log');
  const free = openSync(file, 'w');
  // A new file gets the lowest free descriptor (POSIX, open).
  expect(free).toBe(full);
  writer.write('{"msg":"here"}\n');
  writer.write('{"msg":"there"}\n');
  closeSync(free);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    {
      level: 'warn',
      time: expect.any(String),
      service: 'auth',
      dropped: 3,
      msg: '3 log lines were dropped while the disk was full',
    },
    { msg: 'here' },
    { msg: 'there' },
  ]);
});

it('a process keeps working if its standard output is full', () => {
  const logger = fileURLToPath(new URL('../../dist/logging/logger.js', import.meta.url));
  const program = `
    const { createLogger } = await import(${JSON.stringify(logger)});
    const log = createLogger('auth', 'info');
    for (let count = 0; count < 1000; count += 1) log.info('line');
    await new Promise((resolve) => setTimeout(resolve, 100));
    process.exit(7);`;
  const full = openSync(FULL, 'w');
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', full, full],
    timeout: 60_000,
  });
  closeSync(full);
  expect([child.status, child.signal]).toEqual([7, null]);
});
