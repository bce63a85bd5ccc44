import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lockHolder, takeLock } from './take-lock.mjs';

/** @type {string} */
let folder;
/** @type {string} */
let file;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'take-lock-'));
  file = join(folder, 'lock.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('takeLock', () => {
  it('is taken by one, named to the next, and free after its release', () => {
    const first = takeLock(file);
    expect(first.taken).toBe(true);
    expect(takeLock(file)).toEqual({ taken: false, pid: process.pid });
    expect(lockHolder(file)?.pid).toBe(process.pid);
    if (first.taken) first.release();
    expect(lockHolder(file)).toBeUndefined();
    expect(takeLock(file).taken).toBe(true);
    expect(readdirSync(folder)).toEqual(['lock.json']);
  });

  it.each([
    ['of a process that is no more', '{"pid":4194304,"identity":"x/1"}'],
    ['of another process with the same pid', JSON.stringify({ pid: process.pid, identity: 'x/1' })],
    ['that a crash left half written', '{"pid":'],
  ])('replaces a lock %s', (_, content) => {
    writeFileSync(file, content);
    expect(takeLock(file).taken).toBe(true);
    expect(lockHolder(file)?.pid).toBe(process.pid);
  });
});
