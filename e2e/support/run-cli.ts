import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { recordSecretsIn } from './record-secret.js';

export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  cwd?: string;
  env: Record<string, string>;
  input?: string;
  /** Called with the whole output so far. */
  onOutput?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
}

/** Runs the command line as a user does, in a separate process with a separate environment. */
export function runCli(
  args: string[],
  { cwd = REPOSITORY, env, input = '', onOutput }: CliOptions,
): Promise<CliResult> {
  const child = spawn(process.execPath, [`${REPOSITORY}apps/cli/bin/millrace.mjs`, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
  });
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
    child.on('close', (code) => {
      recordCredentials(env);
      resolve({ code, ...result });
    });
  });
}

/** Records the credentials that the command line has stored, because the test may never read these tokens itself. */
function recordCredentials({ XDG_CONFIG_HOME: config = '', MILLRACE_TOKEN: token }: Record<string, string>): void {
  const file = join(config, 'millrace', 'credentials.json');
  if (existsSync(file)) recordSecretsIn(JSON.parse(readFileSync(file, 'utf8')));
  recordSecretsIn({ token });
}
