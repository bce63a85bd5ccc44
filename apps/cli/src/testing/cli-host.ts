import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { CliCommand, CliResult } from './spawn-cli.js';

/**
 * Runs commands of the command line in one process, one after the other. A process for each takes twenty times the processor
 * time; tests of signals and of concurrent commands need it, and use `spawnCli`.
 */
export class CliHost {
  private host: { process: ChildProcess; ended: Promise<never> } | null = null;
  private last: Promise<unknown> = Promise.resolve();

  run(args: string[], command: CliCommand): Promise<CliResult> {
    const result = this.last.then(() => this.send(args, command));
    this.last = result.catch(() => undefined);
    return result;
  }

  close(): void {
    this.host?.process.disconnect();
    this.host = null;
  }

  private async send(args: string[], { env, cwd = process.cwd(), input = '' }: CliCommand): Promise<CliResult> {
    const { process: host, ended } = (this.host ??= startHost());
    host.send({ args, cwd, env, input });
    const [{ code, stdout, stderr }] = (await Promise.race([once(host, 'message'), ended])) as [CliResult];
    // The process sends a character for each byte.
    const decode = (text: string) => Buffer.from(text, 'latin1').toString('utf8');
    return { code, stdout: decode(stdout), stderr: decode(stderr) };
  }
}

function startHost(): { process: ChildProcess; ended: Promise<never> } {
  const host = fork(join(import.meta.dirname, 'cli-host.mjs'), { execArgv: [], env: {} });
  const ended = once(host, 'exit').then(([code]): never => {
    throw new Error(`The process of the command line ended with code ${String(code)}.`);
  });
  ended.catch(() => undefined);
  return { process: host, ended };
}
