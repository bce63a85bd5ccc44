import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { CliHost } from '@millrace/cli/testing/cli-host';
import { type CliCall, type CliCommand, type CliResult, CLI_PROGRAM, spawnCli } from '@millrace/cli/testing/spawn-cli';
import { recordSecretsIn } from './record-secret.js';
import { REPOSITORY } from './repository.js';

const host = new CliHost();
afterAll(() => host.close());

/** Runs the command line as a user does, after the commands that the suite has started before. */
export async function runCli(args: string[], options: CliCommand): Promise<CliResult> {
  const result = await host.run(args, { cwd: REPOSITORY, ...options, env: withPath(options.env) });
  recordCredentials(options.env);
  return result;
}

/** Runs the command line in a process of its own, beside other commands. */
export async function runCliApart(args: string[], options: CliCall): Promise<CliResult> {
  const result = await spawnCli(args, { cwd: REPOSITORY, ...options, env: withPath(options.env) });
  recordCredentials(options.env);
  return result;
}

const withPath = (env: Record<string, string>) => ({ PATH: process.env.PATH ?? '', ...env });

const TERMINAL_TIMEOUT_MS = 60_000;

export interface TerminalOptions {
  cwd?: string;
  env: Record<string, string>;
  /** Keys that the user presses when the terminal shows a text, one step after the other. */
  steps: [shown: string, keys: string][];
}

/** Runs the command line in a terminal, which is that of `script` (util-linux). */
export function runInTerminal(args: string[], { cwd = REPOSITORY, env, steps }: TerminalOptions) {
  const command = [process.execPath, CLI_PROGRAM, ...args].map((word) => `'${word}'`);
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
function recordCredentials({ XDG_CONFIG_HOME: config = '', MILLRACE_TOKEN: token }: Record<string, string>): void {
  const file = join(config, 'millrace', 'credentials.json');
  if (existsSync(file)) recordSecretsIn(JSON.parse(readFileSync(file, 'utf8')));
  recordSecretsIn({ token });
}
