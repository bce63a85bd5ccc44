import { MillraceError } from '@millrace/sdk/millrace-error';
import { sessions } from '@millrace/sdk/resources';
import { openClient, openSession } from './connect.js';
import type { CredentialsFile } from './credentials-file.js';
import { StoredSession } from './stored-session.js';

/** Ends the stored session at its server; one that the server has ended already is none to end. */
export async function endSession(file: CredentialsFile, url: string): Promise<void> {
  const store = new StoredSession(file, url);
  // Renewed first where it has to be, for that replaces the refresh token that is handed in below.
  const access = await openSession(file, url).current();
  const session = await store.read();
  if (access === null || session === null) return;
  try {
    await openClient(url, access).call(sessions.logout, { body: { refresh: session.refresh } });
  } catch (error) {
    if (!(error instanceof MillraceError) || error.status !== 401) throw error;
  }
}
