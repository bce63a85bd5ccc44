import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Whether commands without a sandbox can be users of their own here: this process is root, and others reach its Node.js. */
export function canHaveUserPerSlot(): boolean {
  const isInstalled = ['/usr/local/bin/node', '/usr/bin/node'].some((path) => existsSync(path));
  return process.getuid?.() === 0 && (isInstalled || isReachable(process.execPath));
}

const isReachable = (path: string): boolean =>
  (statSync(path).mode & 0o001) !== 0 && (path === '/' || isReachable(dirname(path)));
