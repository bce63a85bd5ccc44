import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lockFile } from './lock-file.js';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Locks the file, and runs until it is killed. */
const LOCKER = 'open(my $f, ">>", $ARGV[0]); flock($f, 2); $| = 1; print "locked"; sleep 60';

describe('a locked file', () => {
  it('cannot be locked again until it is released', () => {
    const lock = lockFile(path);
    expect(lockFile(path)).toBeNull();
    lock?.release();
    const next = lockFile(path);
    expect(next).not.toBeNull();
    next?.release();
  });

  it('is free again once its process is killed', async () => {
    const other = spawn('perl', ['-e', LOCKER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(other.stdout, 'data');
    expect(lockFile(path)).toBeNull();
    other.kill('SIGKILL');
    await once(other, 'close');
    const lock = lockFile(path);
    expect(lock).not.toBeNull();
    lock?.release();
  });

  it('is not inherited by children of the process that locked it', () => {
    const lock = lockFile(path);
    const open = execFileSync('bash', ['-c', 'ls -l /proc/$$/fd'], { encoding: 'utf8' });
    expect(open).not.toContain(path);
    lock?.release();
  });
});

it('lockFile throws an error with the file, the reason and what a work folder needs', () => {
  // Imitates a file system without locks: without Perl nothing can be locked either.
  const message = /lock cannot be locked \(.*ENOENT\)\. A worker's WORK_DIR must be on a file system with flock\(2\)/;
  expect(() => lockFile(path, folder)).toThrow(message);
});
