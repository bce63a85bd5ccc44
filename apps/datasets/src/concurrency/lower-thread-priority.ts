import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Lets the thread that calls this give way to those that answer requests, where processors are short. On Linux, which alone
 * has priorities of threads (setpriority(2)); elsewhere nothing is done, for it would be of the whole process.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
}
