import type { Command } from 'commander';
import { sessions, users } from '@millrace/sdk/resources';
import { chooseNewServer } from '../account/choose-server.js';
import { openClient } from '../account/connect.js';
import { Prompt } from '../account/prompt.js';
import { saveAccount } from '../account/save-account.js';
import type { Session } from '../session.js';

export function addLogin(program: Command, { env }: Session): void {
  program
    .command('login')
    .description('sign in with email and password, or with an API token')
    .option('--email <email>')
    .option('--token <token>', 'an API token, from the dashboard')
    .action(async (options: { email?: string; token?: string }) => {
      const url = await chooseNewServer(env, program.opts<{ url?: string }>().url);
      const token = options.token ?? (options.email === undefined ? env.token : null);
      const email = token === null ? await signIn(env.credentialsFile, url, options.email) : await keep(url, token);
      process.stdout.write(`Signed in to ${url} as ${email}.\n`);
    });

  async function keep(url: string, token: string): Promise<string> {
    const { email } = await openClient(url, token).call(users.getMe);
    await saveAccount(env.credentialsFile, url, { email, token });
    return email;
  }
}

async function signIn(file: string, url: string, given: string | undefined): Promise<string> {
  const prompt = new Prompt();
  try {
    const email = given ?? (await prompt.ask('Email: '));
    const password = await prompt.ask('Password: ', { secret: true });
    const { access, refresh, expiresAt } = await openClient(url).call(sessions.login, { body: { email, password } });
    await saveAccount(file, url, { email, session: { access, refresh, expiresAt } });
    return email;
  } finally {
    prompt.close();
  }
}
