import type { CliEnv } from './env.js';

/** The environment of a command, and the exit code that it sets. */
export interface CliContext {
  env: CliEnv;
  exitCode: number;
}

/** Exit codes of `millrace`. They distinguish a run that failed from one that did not start. */
export const EXIT = { ok: 0, runFailed: 1, notDone: 2, interrupted: 130 } as const;
