import type { Command } from 'commander';
import { MillraceError } from '@millrace/client';
import { chooseServer } from '../account/choose-server.js';
import { openClient, openSession } from '../account/connect.js';
import { CredentialsFile, forgetAccount, StoredSession } from '../account/credentials-file.js';
import type { CliContext } from '../cli-context.js';

export function addLogout(program: Command, { env }: CliContext): void {
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

/** Deletes the stored account even if the server does not respond. */
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

/** Ends the stored session at its server. Does nothing if the session has already ended. */
async function endSession(file: CredentialsFile, url: string): Promise<void> {
  const store = new StoredSession(file, url);
  // This may renew the session, which replaces its refresh token. Therefore the session is read afterwards.
  const access = await openSession(file, url).current();
  const session = await store.read();
  if (access === null || session === null) return;
  try {
    await openClient(url, access).sessions.logout({ refresh: session.refresh });
  } catch (error) {
    if (!(error instanceof MillraceError) || error.status !== 401) throw error;
  }
}
