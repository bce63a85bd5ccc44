import { describe, expect, it } from '@jest/globals';
import { hasMemoryRoom } from './test-root.mjs';

const GIB = 2 ** 30;
const mounts = (/** @type {string} */ line) => `proc /proc proc rw 0 0\n${line}\n/dev/vda / ext4 rw 0 0\n`;
const USUAL = mounts('tmpfs /dev/shm tmpfs rw,nosuid,relatime 0 0');

describe('hasMemoryRoom', () => {
  it('requires free space in the file system and free memory', () => {
    expect(hasMemoryRoom(USUAL, 12 * GIB, 20 * GIB)).toBe(true);
    expect(hasMemoryRoom(USUAL, 64 * 2 ** 20, 20 * GIB)).toBe(false);
    expect(hasMemoryRoom(USUAL, 12 * GIB, 4 * GIB)).toBe(false);
  });

  it.each(['ro', 'noexec', 'nodev'])('rejects a file system that is mounted %s', (option) => {
    expect(hasMemoryRoom(mounts(`shm /dev/shm tmpfs rw,nosuid,${option} 0 0`), 12 * GIB, 20 * GIB)).toBe(false);
  });

  it('rejects a disk, and a missing file system', () => {
    expect(hasMemoryRoom(mounts('/dev/vdb /dev/shm ext4 rw 0 0'), 12 * GIB, 20 * GIB)).toBe(false);
    expect(hasMemoryRoom(mounts('tmpfs /run tmpfs rw 0 0'), 12 * GIB, 20 * GIB)).toBe(false);
    expect(hasMemoryRoom('', 12 * GIB, 20 * GIB)).toBe(false);
  });

  it('considers the last mount at the path', () => {
    const twice = mounts('/dev/vdb /dev/shm ext4 rw 0 0\ntmpfs /dev/shm tmpfs rw 0 0');
    expect(hasMemoryRoom(twice, 12 * GIB, 20 * GIB)).toBe(true);
  });
});
