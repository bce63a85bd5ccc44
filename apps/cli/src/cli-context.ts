import type { CliEnv } from './env.js';

/** One call of the command line. */
export interface CliContext {
  env: CliEnv;
  exitCode: number;
}

/** Exit codes of `millrace`. A failed run can so be told from one that never started. */
export const EXIT = { ok: 0, runFailed: 1, notDone: 2, interrupted: 130 } as const;
