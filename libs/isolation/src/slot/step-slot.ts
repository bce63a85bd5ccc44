import type { SlotPaths } from '../folders/slot-folders.js';
import type { Limits } from '../limits/limits.js';
import type { Command, CommandExit } from './running-command.js';

/** Requirements of a command. */
export interface SlotRequirements {
  network: boolean;
  memoryBytes: number;
}

/** Requirements of a step. */
export interface StepRequirements extends SlotRequirements {
  /** Image reference that the step runs in; null if it runs on this machine. */
  image: string | null;
}

/** Which limits of a slot the kernel enforces. The others are sampled. */
export interface KernelLimits {
  memory: boolean;
  processes: boolean;
}

/**
 * A place where the commands of steps run one at a time: `reserve`, then `open`, `run` and `clear` for each command, then
 * `close`. Its states are in slot-states.ts. `Slot` runs commands on this machine; `ContainerSlot` of libs/containers runs
 * them in containers.
 */
export interface StepSlot {
  /** Working directory as the command sees it. */
  readonly cwd: string;
  /** Home and temporary folder as the command sees it. */
  readonly home: string;
  /** Value of PATH for commands; null if they have that of their image. */
  readonly path: string | null;
  readonly limits: Limits;
  readonly kernelLimits: KernelLimits;
  /** Whether a command can only read `in`; its files can then be links to stored files. */
  readonly isInputReadOnly: boolean;
  /** Folders as this process sees them. Never follow a link that is in `work`. */
  readonly folders: SlotPaths;
  /** Owner for whom the slot has something ready; null if any owner can have it. */
  readonly sandboxOwner: string | null;
  /** Reserves the slot, until `close`, for an owner: commands of one owner may follow each other in one sandbox. */
  reserve(owner: string): void;
  /** Makes the slot ready for a command. @throws Error if it cannot run commands */
  open(requirements: StepRequirements): Promise<void>;
  /** Makes a folder below `in`, by its absolute path on this machine. Nothing may exist there. */
  makeInputFolder(path: string): void;
  /** Writes a file below `in`. Nothing may exist there. */
  writeInputFile(path: string, content: Uint8Array): Promise<void>;
  /** Runs a command, and resolves when it and everything that it started has ended. Its output is in the step folder. */
  run(command: Command): Promise<CommandExit>;
  /** Ends the running command: sends TERM, and KILL to all of its processes after `graceMs` (10 s). */
  stop(graceMs?: number): void;
  /** Call this if all that was in `out` has been moved away: `clear` then does not look into it. */
  markOutputsCollected(): void;
  /**
   * Empties the working directory and all temporary folders; `in` and `out` exist and are empty afterwards.
   * @param secret whether files of `in` contain secrets, and must not be recycled
   */
  clear(secret?: boolean): Promise<void>;
  /** Empties the folders, and frees the slot for another owner. */
  close(): Promise<void>;
  /** Prepares what the next command will need, if there is something to prepare. A failure appears in `open`. */
  prestart(): void;
  /** Ends all processes of the slot. */
  shutdown(): Promise<void>;
}

/** Time between TERM and KILL. */
export const STOP_GRACE_MS = 10_000;
