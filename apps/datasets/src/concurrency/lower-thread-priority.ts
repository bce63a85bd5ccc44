import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Lowers the priority of the calling thread, so that threads that handle requests get the processor first. Only Linux
 * has a priority per thread (setpriority(2)). Elsewhere this does nothing, because it would affect the whole process.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  setPriority(threadId, constants.priority.PRIORITY_BELOW_NORMAL);
}
