import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Path of the program that a user starts. */
export const CLI_PROGRAM = fileURLToPath(new URL('../../bin/millrace.mjs', import.meta.url));

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CliCommand {
  /** Its whole environment. */
  env: Record<string, string>;
  cwd?: string;
  input?: string;
}

export interface CliCall extends CliCommand {
  /** Called with the complete output so far. */
  onOutput?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
}

/** Runs the command line as a user does, in a separate process that does not inherit the environment. */
export function spawnCli(args: string[], { env, cwd, input = '', onOutput }: CliCall): Promise<CliResult> {
  const child = spawn(process.execPath, [CLI_PROGRAM, ...args], { env, ...(cwd !== undefined && { cwd }) });
  const result = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      result[name] += text;
      onOutput?.(result.stdout + result.stderr, (signal) => child.kill(signal));
    });
  }
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...result }));
  });
}
