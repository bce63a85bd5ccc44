import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { withLock } from './with-lock.js';

const MODULE = fileURLToPath(new URL('./with-lock.ts', import.meta.url));

/** Acquires the lock several times, and records the begin and the end of its work in a file. */
const CONTENDER = `
  import { appendFileSync } from 'node:fs';
  import { setTimeout as sleep } from 'node:timers/promises';
  const [module, lock, log, rounds] = process.argv.slice(1);
  const { withLock } = await import(module);
  for (let round = 0; round < Number(rounds); round += 1) {
    await withLock(lock, async () => {
      appendFileSync(log, 'begin ' + process.pid + '\\n');
      await sleep(5);
      appendFileSync(log, 'end ' + process.pid + '\\n');
    });
  }
`;

let folder: string;
let lock: string;
let log: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
  [lock, log] = [join(folder, 'lock'), join(folder, 'log')];
  await writeFile(log, '');
});
afterEach(() => rm(folder, { recursive: true }));

const makeStale = async (path: string) => {
  await mkdir(path);
  const old = new Date(Date.now() - 60_000);
  await utimes(path, old, old);
};

async function contend(rounds: number): Promise<void> {
  const args = ['--input-type=module', '-e', CONTENDER, MODULE, lock, log, String(rounds)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(0);
}

/** Each line `begin` must be followed by the line `end` of the same process. */
async function countExclusiveWork(): Promise<number> {
  const lines = (await readFile(log, 'utf8')).trimEnd().split('\n');
  for (let at = 0; at < lines.length; at += 2) {
    expect(lines[at]).toMatch(/^begin /);
    expect(lines[at + 1]).toBe(lines[at]?.replace('begin', 'end'));
  }
  return lines.length / 2;
}

describe('withLock', () => {
  it('runs the work of one of two processes at a time', async () => {
    await Promise.all([contend(20), contend(20)]);
    expect(await countExclusiveWork()).toBe(40);
  });

  it('lets only one of two waiting processes take over the lock of a killed process', async () => {
    for (let round = 1; round <= 5; round += 1) {
      await makeStale(lock);
      await Promise.all([contend(1), contend(1)]);
      expect(await countExclusiveWork()).toBe(2 * round);
    }
  });

  it('takes over the lock of a process that was killed while it took over a lock', async () => {
    await makeStale(lock);
    await makeStale(`${lock}.gate`);
    expect(await withLock(lock, () => Promise.resolve('done'))).toBe('done');
  });

  it('releases the lock after failed work', async () => {
    await expect(withLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(stat(lock)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(stat(`${lock}.gate`)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
