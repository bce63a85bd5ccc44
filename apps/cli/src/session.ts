import type { CliEnv } from './env.js';

/** One call of the command line. */
export interface Session {
  env: CliEnv;
  exitCode: number;
}
