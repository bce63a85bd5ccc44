import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { CliResult } from '@millrace/cli/testing/spawn-cli';
import { runCli } from './run-cli.js';
import { systemUrl, type Account } from './sign-up.js';

/** Runs commands as one user, in a folder of its own. */
export class CliSession {
  readonly folder = mkdtempSync(join(tmpdir(), 'millrace-commands-'));

  constructor(private readonly account: Account) {}

  env(url = systemUrl()): Record<string, string> {
    return {
      MILLRACE_URL: url,
      MILLRACE_TOKEN: this.account.access,
      XDG_CONFIG_HOME: join(this.folder, 'config'),
      MILLRACE_DATA_DIR: join(this.folder, 'none'),
    };
  }

  run(args: string[], input = ''): Promise<CliResult> {
    return runCli(args, { env: this.env(), cwd: this.folder, input });
  }

  /** Runs a command that succeeds. @returns what it printed */
  async succeed(args: string[], input = ''): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, input);
    expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' });
    return stdout;
  }

  async json<T>(...args: string[]): Promise<T> {
    return JSON.parse(await this.succeed([...args, '--json'])) as T;
  }

  /** Runs a command that fails with an exit code: 2 for wrong input, 4 for something that does not exist. @returns the reason */
  async fail(args: string[], input = '', expected = 2): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, input);
    expect({ args, code, stdout }).toEqual({ args, code: expected, stdout: '' });
    return stderr;
  }

  write(name: string, text: string | Buffer): void {
    writeFileSync(join(this.folder, name), text);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The text of a workflow file with one script. */
export const workflowOf = (name: string, source = 'echo 1'): string =>
  JSON.stringify({ millrace: 1, name, data: { nodes: { 'only-1': { type: 'SCRIPT', script: { source } } } } });
