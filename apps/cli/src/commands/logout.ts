import type { Command } from 'commander';
import { MillraceError } from '@millrace/client';
import { chooseServer, explainMissingProfile } from '../account/choose-server.js';
import { openClient, openSession } from '../account/connect.js';
import { CredentialsFile, findProfile, forgetProfile, StoredSession } from '../account/credentials-file.js';
import type { CliContext } from '../cli-context.js';
import type { CliEnv } from '../env.js';
import { printDone } from '../print-records.js';
import { addCommand } from './command-group.js';

/** The operations of the API that this command uses, as methods of the client. */
export const OPERATIONS = ['sessions.logout'];

export function addLogout(program: Command, { env }: CliContext): void {
  addCommand(program, 'logout', 'end the session and delete the stored credentials', [
    'logout',
    'logout --profile staging',
  ]).action(async ({ json }: { json?: boolean }) => {
    const url = await chooseServer(env);
    const { name, sentence } = await signOut(env, url);
    await printDone(sentence, { server: url, profile: name ?? null }, { json });
    if (env.token !== null)
      process.stderr.write('MILLRACE_TOKEN is set and still signs you in to the server of --url or MILLRACE_URL.\n');
  });
}

/** Deletes the stored account even if the server does not respond. */
async function signOut(env: CliEnv, url: string): Promise<{ name?: string; sentence: string }> {
  const file = new CredentialsFile(env.credentialsFile);
  const credentials = await file.read();
  const name = findProfile(credentials, { name: env.profile, url });
  if (name === undefined && env.profile !== null)
    throw explainMissingProfile(env.profile, Object.keys(credentials.profiles));
  if (name === undefined) return { sentence: `You were not signed in to ${url}.` };
  return { name, sentence: await removeProfile(file, name) };
}

/**
 * Ends the session of a profile and deletes it, even if the server does not respond. Returns a sentence for the user.
 * @param name of an existing profile
 */
export async function removeProfile(file: CredentialsFile, name: string): Promise<string> {
  const profile = (await file.read()).profiles[name];
  if (profile === undefined) return `The profile "${name}" does not exist.`;
  try {
    if (profile.session !== undefined) await endSession(file, name, profile.url);
  } finally {
    await forgetProfile(file.path, name);
  }
  return profile.token === undefined
    ? `Signed out of ${profile.url}.`
    : `Deleted the stored token for ${profile.url}. The token remains valid until you create another one.`;
}

/** Ends the stored session at its server. Does nothing if the session has already ended. */
async function endSession(file: CredentialsFile, name: string, url: string): Promise<void> {
  const store = new StoredSession(file, name);
  // This may renew the session, which replaces its refresh token. Therefore the session is read afterwards.
  const access = await openSession(file, name, url).current();
  const session = await store.read();
  if (access === null || session === null) return;
  try {
    await openClient(url, access).sessions.logout({ refresh: session.refresh });
  } catch (error) {
    if (!(error instanceof MillraceError) || error.status !== 401) throw error;
  }
}
