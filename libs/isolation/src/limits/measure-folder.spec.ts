import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { measureFolder } from './measure-folder.js';

const LIMIT = { bytes: 1e9, entries: 1_000 };
const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-measure-'));
  mkdirSync(join(folder, 'd'));
  writeFileSync(join(folder, 'd/f'), 'content');
  if (isRoot) for (const path of ['', 'd', 'd/f']) chownSync(join(folder, path), NOBODY, NOBODY);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Root can read everything, so the folder is measured as another user. */
async function measure() {
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    return await measureFolder(folder, LIMIT);
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

it('measureFolder counts the entries of a folder, and the disk space that they take', async () => {
  expect((await measure()).entries).toBe(2);
  expect((await measure()).bytes).toBeGreaterThan(0);
});

it.each([0o000, 0o300, 0o400])(
  'measureFolder counts a folder of mode %o, which it cannot read, as endless',
  async (mode) => {
    chmodSync(join(folder, 'd'), mode);
    expect((await measure()).entries).toBeGreaterThan(LIMIT.entries);
  },
);

it('measureFolder lets the event loop run while it reads very many empty folders', async () => {
  for (let at = 0; at < 900; at++) mkdirSync(join(folder, `empty-${at}`));
  let iterations = 0;
  let next: NodeJS.Immediate;
  const count = (): void => {
    iterations++;
    next = setImmediate(count);
  };
  next = setImmediate(count);
  await measureFolder(folder, LIMIT);
  clearImmediate(next);
  expect(iterations).toBeGreaterThanOrEqual(3);
});
