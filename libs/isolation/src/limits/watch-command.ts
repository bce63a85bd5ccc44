import type { KillReason } from '../slot/command.js';
import type { Limits } from './limits.js';
import { watchDisk } from './watch-disk.js';
import { watchMemory } from './watch-memory.js';

/** What is looked at while a command runs, because the kernel does not bound it. */
export interface WatchTarget {
  /** Folders that the command writes to. */
  folders: readonly string[];
  limits: Limits;
  /** In bytes; null where a control group bounds memory. */
  memoryBytes: number | null;
  processes: () => Promise<readonly number[]>;
}

export interface CommandWatch {
  /** Which bound the command passed, if it passed one. */
  exceeded(): KillReason | null;
  stop(): void;
}

/** Watches the disk space of a command, and its memory if nothing else does; calls `onExceeded` for whatever is passed. */
export function watchCommand(
  { folders, limits, memoryBytes, processes }: WatchTarget,
  onExceeded: () => void,
): CommandWatch {
  const disk = watchDisk(folders, limits, processes, onExceeded);
  const memory = memoryBytes === null ? null : watchMemory(memoryBytes, processes, onExceeded);
  return {
    exceeded: () => disk.exceeded() ?? (memory?.exceeded() === true ? 'memory' : null),
    stop: () => {
      disk.stop();
      memory?.stop();
    },
  };
}
