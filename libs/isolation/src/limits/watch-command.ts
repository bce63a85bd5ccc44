import type { KillReason } from '../slot/running-command.js';
import type { Limits } from './limits.js';
import { watchDisk } from './watch-disk.js';
import { watchMemory } from './watch-memory.js';

/** A running command with limits that the kernel does not enforce, so that its usage is sampled. */
export interface WatchTarget {
  /** Folders that the command writes to. */
  folders: readonly string[];
  limits: Limits;
  /** Null if a control group limits memory. */
  memoryBytes: number | null;
  processes: () => Promise<readonly number[]>;
}

export interface CommandWatch {
  /** The limit that the command has exceeded; null if none. */
  exceeded(): KillReason | null;
  stop(): void;
}

/** Watches the disk space of a command, and its memory if the kernel does not. Calls `onExceeded` for each limit exceeded. */
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
