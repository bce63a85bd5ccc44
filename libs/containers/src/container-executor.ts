import type { SlotPaths } from '@millrace/isolation/folders/slot-folders';
import type { Limits } from '@millrace/isolation/limits/limits';
import { SANDBOX_PATHS } from '@millrace/isolation/sandbox/build-bwrap-arguments';
import type { Command, CommandExit } from '@millrace/isolation/slot/running-command';

const { work, input, temporary } = SANDBOX_PATHS;
/** Paths as a command in a container sees them: the same as in a sandbox. */
export const CONTAINER_PATHS = { work, input, output: `${work}/out`, temporary } as const;

/** A command that runs in a container of its own. */
export interface ContainerCommand extends Command {
  /** Image reference as the node or the worker names it, such as `registry.example.com/tools/scan:1.4`. */
  image: string;
  /**
   * Folders of the slot, as this process sees them. The container gets `work` and `input` at `CONTAINER_PATHS`, `input`
   * read-only. The executor writes `stdout` and `stderr` in `step`, which the container need not have.
   */
  folders: SlotPaths;
  /** Numeric user and group that the command has; null for that of this process. */
  uid: number | null;
  network: boolean;
  memoryBytes: number;
  limits: Limits;
}

/** A command that has been given to an executor. */
export interface ContainerRun {
  /**
   * Resolves when the container has ended and `step/stdout`, `step/stderr` and, if the command succeeded, `folders.output`
   * are complete. While it runs, the two log files grow.
   * @throws ImageUnavailableError, ContainerStartError, ContainerDisruptedError
   */
  exit: Promise<CommandExit>;
  /** Sends TERM, and KILL after `graceMs`; KILL at once if that is 0. Does nothing after the end. */
  stop(graceMs: number): void;
  /** Ids of the processes in the container, as this process sees them; empty if it does not. */
  processes(): readonly number[];
}

/** Runs each command in a container of its own, outside of this process. */
export interface ContainerExecutor {
  readonly kind: 'docker' | 'kubernetes';
  /**
   * Tests that containers can be run, and removes those that an earlier process of this worker has left.
   * @throws ExecutorUnavailableError with the reason and its remedy
   */
  prepare(): Promise<void>;
  /**
   * Starts a command. A program that is missing is exit code 127, one that cannot be executed 126; `stderr` then ends with
   * `cannot run <program>: <reason>`.
   */
  run(command: ContainerCommand): ContainerRun;
  /** Ends all containers of this worker. */
  close(): Promise<void>;
}

/** The image of a step cannot be pulled, or is not an image. The message names the image and the reason. */
export class ImageUnavailableError extends Error {
  override name = 'ImageUnavailableError';
}

/** The container of a step did not start, and not because of its image. The message names the reason. */
export class ContainerStartError extends Error {
  override name = 'ContainerStartError';
}

/**
 * The platform of the containers has removed that of a step, for example to drain its node. The step has not failed, and can
 * run elsewhere. The message says what has happened, for the user of the workflow.
 */
export class ContainerDisruptedError extends Error {
  override name = 'ContainerDisruptedError';
}

/** This worker cannot run containers. */
export class ExecutorUnavailableError extends Error {
  override name = 'ExecutorUnavailableError';
}
