import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DiskSpace } from './disk-space.js';

/** A file system in memory with room for few files. Requires root, which CI has. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'disk-space-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m,nr_inodes=100', 'millrace-test', folder]);
});
afterAll(() => {
  execFileSync('umount', ['--lazy', folder]);
  rmSync(folder, { recursive: true });
});

describe('a disk', () => {
  it('is full if fewer than a tenth of its inodes are free, however many bytes are', async () => {
    const disk = new DiskSpace({ STORAGE_DIR: folder }, 1);
    expect(await disk.findFull()).toBeNull();
    for (let file = 0; file < 90; file++) writeFileSync(join(folder, String(file)), '');
    expect(await disk.findFull()).toMatch(/^disk full: .* has 9 free inodes, but 10 are required$/);
    rmSync(join(folder, '0'));
    expect(await disk.findFull()).toBeNull();
  });
});
