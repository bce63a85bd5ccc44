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

const TERMINAL_TIMEOUT_MS = 60_000;

export interface TerminalOptions {
  cwd?: string;
  env: Record<string, string>;
  /** Keys that the user presses when the terminal shows a text, one step after the other. */
  steps: [shown: string, keys: string][];
}

/** Runs the command line in a terminal, which is that of `script` (util-linux). */
export function runInTerminal(args: string[], { cwd = REPOSITORY, env, steps }: TerminalOptions) {
  const command = [process.execPath, `${REPOSITORY}apps/cli/bin/millrace.mjs`, ...args].map((word) => `'${word}'`);
  const script = ['--quiet', '--return', '--command', `stty rows 24 cols 100; exec ${command.join(' ')}`, '/dev/null'];
  const child = spawn('script', script, { cwd, env: { PATH: process.env.PATH, SHELL: '/bin/sh', ...env } });
  const result = { stdout: '', stderr: '' };
  const rest = [...steps];
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    result.stdout += text;
    const [shown, keys] = rest[0] ?? [];
    const at = shown === undefined ? -1 : result.stdout.indexOf(shown, seen);
    if (at === -1) return;
    seen = at + (shown ?? '').length;
    rest.shift();
    child.stdin.write(keys ?? '');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (result.stderr += text));
  return new Promise<CliResult>((resolve, reject) => {
    const timer = setTimeout(() => child.kill(), TERMINAL_TIMEOUT_MS);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, ...result });
    });
  });
}

/** Records the credentials that the command line has stored, because the test may never read these tokens itself. */
export function recordCredentials({
  XDG_CONFIG_HOME: config = '',
  MILLRACE_TOKEN: token,
}: Record<string, string>): void {
  const file = join(config, 'millrace', 'credentials.json');
  if (existsSync(file)) recordSecretsIn(JSON.parse(readFileSync(file, 'utf8')));
  recordSecretsIn({ token });
}
