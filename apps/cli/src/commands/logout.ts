import type { Command } from 'commander';
import { chooseServer } from '../account/choose-server.js';
import { CredentialsFile } from '../account/credentials-file.js';
import { endSession } from '../account/end-session.js';
import { forgetAccount } from '../account/forget-account.js';
import type { Session } from '../session.js';

export function addLogout(program: Command, { env }: Session): void {
  program
    .command('logout')
    .description('end the session and delete the stored credentials')
    .action(async () => {
      const url = await chooseServer(env, program.opts<{ url?: string }>().url);
      process.stdout.write(`${await signOut(env.credentialsFile, url)}\n`);
      if (env.token !== null)
        process.stdout.write('MILLRACE_TOKEN is set and still signs you in to the server of --url or MILLRACE_URL.\n');
    });
}

/** What is kept here goes in any case, also where the server cannot be told. */
async function signOut(path: string, url: string): Promise<string> {
  const file = new CredentialsFile(path);
  const account = (await file.read()).servers[url];
  if (account === undefined) return `You were not signed in to ${url}.`;
  try {
    if (account.session !== undefined) await endSession(file, url);
  } finally {
    await forgetAccount(path, url);
  }
  return account.token === undefined
    ? `Signed out of ${url}.`
    : `Deleted the stored token for ${url}. The token remains valid until you create another one.`;
}
