import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { measureFolder } from './measure-folder.js';

const MOST = { bytes: 1e9, entries: 1_000 };
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

/** Root may read everything, so this is asked as somebody who may not. */
async function measure() {
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    return await measureFolder(folder, MOST);
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

it('what is in a folder counts, and what it takes on disk', async () => {
  expect((await measure()).entries).toBe(2);
  expect((await measure()).bytes).toBeGreaterThan(0);
});

it.each([0o000, 0o300, 0o400])('a folder of mode %o that cannot be looked through is too much', async (mode) => {
  chmodSync(join(folder, 'd'), mode);
  expect((await measure()).entries).toBeGreaterThan(MOST.entries);
});

it('other work gets its turn while very many empty folders are looked at', async () => {
  for (let at = 0; at < 900; at++) mkdirSync(join(folder, `empty-${at}`));
  let turns = 0;
  let next: NodeJS.Immediate;
  const count = (): void => {
    turns++;
    next = setImmediate(count);
  };
  next = setImmediate(count);
  await measureFolder(folder, MOST);
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(3);
});
