import type { Command } from 'commander';
import { chooseNewServer } from '../account/choose-server.js';
import { openClient } from '../account/connect.js';
import { saveAccount } from '../account/credentials-file.js';
import { Prompt } from '../account/prompt.js';
import type { CliContext } from '../cli-context.js';

interface Options {
  email?: string;
  name?: string;
}

export function addSignup(program: Command, { env }: CliContext): void {
  program
    .command('signup')
    .description('create an account on the server and sign in')
    .option('--email <email>')
    .option('--name <name>', 'your name (default: the part of the email before the @)')
    .action(async (options: Options) => {
      const url = await chooseNewServer(env, program.opts<{ url?: string }>().url);
      process.stderr.write(`Creating an account at ${url}\n`);
      const body = await promptForAccount(options);
      const { access, refresh, expiresAt, user } = await openClient(url).sessions.signup(body);
      await saveAccount(env.credentialsFile, url, { email: user.email, session: { access, refresh, expiresAt } });
      process.stdout.write(`Welcome, ${user.name}. You are signed in to ${url}.\n`);
    });
}

async function promptForAccount(options: Options): Promise<{ email: string; password: string; name: string }> {
  const prompt = new Prompt();
  try {
    const email = options.email ?? (await prompt.readLine('Email: '));
    const password = await prompt.readLine('Password (at least 10 characters): ', { secret: true });
    return { email, password, name: options.name ?? email.split('@')[0] ?? email };
  } finally {
    prompt.close();
  }
}
