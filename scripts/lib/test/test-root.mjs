import { readFileSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

/** A file system in memory on any Linux. */
const MEMORY = '/dev/shm';
/** A run takes 2 GiB at its peak; what else the machine does must not feel it. */
const ROOM = 8 * 2 ** 30;

/** All folders in which a test run may have kept its data. */
export const TEST_ROOTS = [...new Set([tmpdir(), MEMORY])];

/**
 * Where a test run keeps its data: in memory where there is ample room, for a database has a thousand files and each suite
 * one of its own; on a disk that takes half of the time. A `TMPDIR` that is set is obeyed.
 * @returns {string}
 */
export function testRoot() {
  if (process.env.TMPDIR) return tmpdir();
  return isRoomy(readFile('/proc/mounts'), freeBytes(MEMORY), freemem()) ? MEMORY : tmpdir();
}

/**
 * @param {string} mounts as of /proc/mounts
 * @param {number} free bytes there
 * @param {number} available bytes of memory
 * @returns {boolean} false as well where no program can be run or no device be used, as in most containers
 */
export function isRoomy(mounts, free, available) {
  const [, , type, options = ''] =
    mounts
      .split('\n')
      .findLast((line) => line.split(' ')[1] === MEMORY)
      ?.split(' ') ?? [];
  const limits = options.split(',').filter((option) => ['ro', 'noexec', 'nodev'].includes(option));
  return type === 'tmpfs' && limits.length === 0 && Math.min(free, available) >= ROOM;
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
