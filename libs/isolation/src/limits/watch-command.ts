import type { Breach } from '../slot/command.js';
import type { Limits } from './limits.js';
import { watchDisk } from './watch-disk.js';
import { watchMemory } from './watch-memory.js';

/** What is looked at while a command runs, because the kernel does not bound it. */
export interface Watched {
  /** Folders that the command writes to. */
  folders: readonly string[];
  limits: Limits;
  /** In bytes; null where a control group bounds memory. */
  memoryBytes: number | null;
  processes: () => Promise<readonly number[]>;
}

export interface CommandWatch {
  /** Which bound the command passed, if it passed one. */
  breach(): Breach | null;
  end(): void;
}

/** Watches the disk space of a command, and its memory if nothing else does; calls `onBreach` for whatever is passed. */
export function watchCommand({ folders, limits, memoryBytes, processes }: Watched, onBreach: () => void): CommandWatch {
  const disk = watchDisk(folders, limits, processes, onBreach);
  const memory = memoryBytes === null ? null : watchMemory(memoryBytes, processes, onBreach);
  return {
    breach: () => disk.breach() ?? (memory?.exceeded() === true ? 'memory' : null),
    end: () => {
      disk.end();
      memory?.end();
    },
  };
}
