import { readFileSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

/** The in-memory file system of Linux. */
const MEMORY = '/dev/shm';
/** A run uses up to 2 GiB. The rest remains for other programs. */
const MIN_FREE_BYTES = 8 * 2 ** 30;

/** All folders in which a test run may have kept its data. */
export const TEST_ROOTS = [...new Set([tmpdir(), MEMORY])];

/**
 * The folder for the data of test runs: in memory if enough is free, otherwise on disk. Each suite has a database of its
 * own with a thousand files, which take half of the time on a disk. `TMPDIR` takes precedence.
 * @returns {string}
 */
export function testRoot() {
  if (process.env.TMPDIR) return tmpdir();
  return hasMemoryRoom(readFile('/proc/mounts'), freeBytes(MEMORY), freemem()) ? MEMORY : tmpdir();
}

/**
 * @param {string} mounts content of /proc/mounts
 * @param {number} free free bytes in the file system
 * @param {number} available free bytes of memory
 * @returns {boolean} also false if its mount forbids writing, executing programs or using devices, as in most containers
 */
export function hasMemoryRoom(mounts, free, available) {
  const [, , type, options = ''] =
    mounts
      .split('\n')
      .findLast((line) => line.split(' ')[1] === MEMORY)
      ?.split(' ') ?? [];
  const limits = options.split(',').filter((option) => ['ro', 'noexec', 'nodev'].includes(option));
  return type === 'tmpfs' && limits.length === 0 && Math.min(free, available) >= MIN_FREE_BYTES;
}

/** @param {string} folder */
function freeBytes(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** @param {string} path */
function readFile(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
