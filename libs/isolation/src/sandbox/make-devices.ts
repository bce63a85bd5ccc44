import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Devices that bubblewrap's `--dev` takes from the machine, with their Linux numbers (admin-guide/devices.txt). */
export const DEVICES = {
  null: [1, 3],
  zero: [1, 5],
  full: [1, 7],
  random: [1, 8],
  urandom: [1, 9],
  tty: [5, 0],
} as const;

/** No process in a sandbox has this user: inside it the same number means the slot's user outside, or the worker's. */
const NOBODY_ID = 65_534;

/**
 * Makes device nodes for sandboxes in a folder. Sandboxes of root own the machine's nodes, even without capabilities, and
 * could change their modes. Another user owns these nodes.
 * @returns the folder; null if the machine's nodes are safe already (an ordinary user) or if none can be made
 */
export function makeDevices(folder: string): string | null {
  if (process.getuid?.() !== 0) return null;
  mkdirSync(folder, { recursive: true });
  try {
    for (const [name, [major, minor]] of Object.entries(DEVICES)) {
      const path = join(folder, name);
      if (existsSync(path)) continue;
      execFileSync('mknod', ['-m', '666', path, 'c', String(major), String(minor)], { stdio: 'ignore' });
      chownSync(path, NOBODY_ID, NOBODY_ID);
    }
    return folder;
  } catch {
    return null;
  }
}
