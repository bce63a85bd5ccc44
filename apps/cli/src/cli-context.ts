import type { CliEnv } from './env.js';

/** The environment of a command, and the exit code that it sets. */
export interface CliContext {
  env: CliEnv;
  exitCode: number;
}

/** Exit codes of `millrace`. Scripts distinguish a run that failed from a command that was not carried out, and why. */
export const EXIT = {
  ok: 0,
  runFailed: 1,
  /** Wrong arguments or input, a request that the server rejects, or a local file that cannot be used. */
  usage: 2,
  /** Not signed in, or not permitted. */
  authentication: 3,
  notFound: 4,
  /** The server does not respond, or not as a Millrace server. */
  network: 5,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
