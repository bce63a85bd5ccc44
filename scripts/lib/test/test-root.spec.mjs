import { describe, expect, it } from '@jest/globals';
import { isRoomy } from './test-root.mjs';

const GIB = 2 ** 30;
const mounts = (/** @type {string} */ line) => `proc /proc proc rw 0 0\n${line}\n/dev/vda / ext4 rw 0 0\n`;
const USUAL = mounts('tmpfs /dev/shm tmpfs rw,nosuid,relatime 0 0');

describe('memory is where tests keep their data', () => {
  it('where there is room in it, and on the machine', () => {
    expect(isRoomy(USUAL, 12 * GIB, 20 * GIB)).toBe(true);
    expect(isRoomy(USUAL, 64 * 2 ** 20, 20 * GIB)).toBe(false);
    expect(isRoomy(USUAL, 12 * GIB, 4 * GIB)).toBe(false);
  });

  it.each(['ro', 'noexec', 'nodev'])('but not mounted %s', (option) => {
    expect(isRoomy(mounts(`shm /dev/shm tmpfs rw,nosuid,${option} 0 0`), 12 * GIB, 20 * GIB)).toBe(false);
  });

  it('but not where that is a disk, or nothing', () => {
    expect(isRoomy(mounts('/dev/vdb /dev/shm ext4 rw 0 0'), 12 * GIB, 20 * GIB)).toBe(false);
    expect(isRoomy(mounts('tmpfs /run tmpfs rw 0 0'), 12 * GIB, 20 * GIB)).toBe(false);
    expect(isRoomy('', 12 * GIB, 20 * GIB)).toBe(false);
  });

  it('as the last that was mounted there says', () => {
    const twice = mounts('/dev/vdb /dev/shm ext4 rw 0 0\ntmpfs /dev/shm tmpfs rw 0 0');
    expect(isRoomy(twice, 12 * GIB, 20 * GIB)).toBe(true);
  });
});
