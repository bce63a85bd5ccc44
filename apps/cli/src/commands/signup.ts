import type { Command } from 'commander';
import { chooseNewServer } from '../account/choose-server.js';
import { openClient } from '../account/connect.js';
import { saveAccount } from '../account/credentials-file.js';
import { Prompt } from '../account/prompt.js';
import type { CliContext } from '../cli-context.js';
import { printDone } from '../print-records.js';
import { addCommand } from './command-group.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['sessions.signup'];

interface Options {
  email?: string;
  name?: string;
  json?: boolean;
}

export function addSignup(program: Command, { env }: CliContext): void {
  addCommand(program, 'signup', 'create an account on the server and sign in', [
    'signup',
    'signup --url https://millrace.example.org --email ada@example.org',
  ])
    .option('--email <email>', 'your email address')
    .option('--name <name>', 'your name (default: the part of the email before the @)')
    .action(async (options: Options) => {
      const url = await chooseNewServer(env);
      process.stderr.write(`Creating an account at ${url}\n`);
      const body = await promptForAccount(options);
      const { access, refresh, expiresAt, user } = await openClient(url).sessions.signup(body);
      const account = { email: user.email, session: { access, refresh, expiresAt } };
      await saveAccount(env.credentialsFile, url, account, env.profile);
      await printDone(`Welcome, ${user.name}. You are signed in to ${url}.`, { server: url, user }, options);
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
