import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findLockHolder, acquireLock } from './acquire-lock.mjs';

/** @type {string} */
let folder;
/** @type {string} */
let file;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'acquire-lock-'));
  file = join(folder, 'lock.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('acquireLock', () => {
  it('acquires a free lock, returns the holder of a held one, and acquires it after its release', () => {
    const first = acquireLock(file);
    expect(first.acquired).toBe(true);
    expect(acquireLock(file)).toEqual({ acquired: false, pid: process.pid });
    expect(findLockHolder(file)?.pid).toBe(process.pid);
    if (first.acquired) first.release();
    expect(findLockHolder(file)).toBeUndefined();
    expect(acquireLock(file).acquired).toBe(true);
    expect(readdirSync(folder)).toEqual(['lock.json']);
  });

  it.each([
    ['of a process that has ended', '{"pid":4194304,"identity":"x/1"}'],
    ['of another process with the same pid', JSON.stringify({ pid: process.pid, identity: 'x/1' })],
    ['that a crash left incomplete', '{"pid":'],
  ])('replaces a lock %s', (_, content) => {
    writeFileSync(file, content);
    expect(acquireLock(file).acquired).toBe(true);
    expect(findLockHolder(file)?.pid).toBe(process.pid);
  });
});
