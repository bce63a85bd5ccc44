import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type CliOptions, type CliResult, recordCredentials, REPOSITORY } from './run-cli.js';

type CommandOptions = Required<Pick<CliOptions, 'cwd' | 'env' | 'input'>>;

/**
 * Runs commands of the command line in one process, one after the other. A process for each takes twenty times the processor
 * time; tests of signals, terminals and pipes need it, and use `runCli`.
 */
export class CliHost {
  private host: { process: ChildProcess; ended: Promise<never> } | null = null;
  private last: Promise<unknown> = Promise.resolve();

  run(args: string[], options: CommandOptions): Promise<CliResult> {
    const result = this.last.then(() => this.send(args, options));
    this.last = result.catch(() => undefined);
    return result;
  }

  close(): void {
    this.host?.process.disconnect();
    this.host = null;
  }

  private async send(args: string[], { cwd, env, input }: CommandOptions): Promise<CliResult> {
    const { process: host, ended } = (this.host ??= startHost());
    host.send({ args, cwd, env: { PATH: process.env.PATH ?? '', ...env }, input });
    const [{ code, stdout, stderr }] = (await Promise.race([once(host, 'message'), ended])) as [CliResult];
    recordCredentials(env);
    // The process sends a character for each byte.
    const decode = (text: string) => Buffer.from(text, 'latin1').toString('utf8');
    return { code, stdout: decode(stdout), stderr: decode(stderr) };
  }
}

function startHost(): { process: ChildProcess; ended: Promise<never> } {
  const host = fork(join(REPOSITORY, 'e2e', 'support', 'cli-host.mjs'), { execArgv: [], env: {} });
  const ended = once(host, 'exit').then(([code]): never => {
    throw new Error(`The process of the command line ended with code ${String(code)}.`);
  });
  ended.catch(() => undefined);
  return { process: host, ended };
}
