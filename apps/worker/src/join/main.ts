import { readFileSync } from 'node:fs';
import { runUntilSignal } from '@millrace/service/startup/run-until-signal';
import { type Credentials, readCredentials, writeCredentials } from './credentials.js';
import { type JoinCommand, parseCommand, USAGE } from './parse-command.js';
import { requestJoin } from './request-join.js';
import { toWorkerEnv } from './to-worker-env.js';
import { UserError } from './user-error.js';

const [args, env] = [process.argv.slice(2), process.env];
// Also overwrites the arguments that other users of the machine see, because the token may be one of them.
process.title = 'millrace-worker';

try {
  const command = parseCommand(args, env);
  if (command.name === 'help') process.stdout.write(USAGE);
  else {
    const stored = command.name === 'join' ? await join(command) : readCredentials(command.dir);
    if (!stored)
      throw new UserError(`This machine has not joined: ${command.dir} has no credentials. Use millrace-worker join.`);
    if (command.name === 'run' || command.run) {
      const { start } = await import('../start.js');
      await runUntilSignal('worker', start, toWorkerEnv(env, stored, command.dir));
    }
  }
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function join(command: JoinCommand): Promise<Credentials> {
  const existing = readCredentials(command.dir);
  if (existing && command.ifNeeded) return existing;
  if (existing)
    throw new UserError(
      `This machine has joined ${existing.url} as ${existing.id} already. Start it with millrace-worker run, or use another folder with --dir.`,
    );
  const ca = command.caFile === undefined ? undefined : readFileSync(command.caFile, 'utf8');
  const joined = await requestJoin(command, ca);
  const stored = {
    ...joined,
    url: command.url.href,
    ...(ca !== undefined && { ca }),
    ...(command.slots !== undefined && { slots: command.slots }),
  };
  writeCredentials(command.dir, stored);
  process.stdout.write(`Joined ${command.url.origin} as ${joined.id} in the fleet ${joined.fleet}.\n`);
  return stored;
}
