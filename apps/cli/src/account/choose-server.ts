import { normalizeBase } from '@millrace/sdk/build-url';
import type { CliEnv } from '../env.js';
import { CredentialsFile } from './credentials-file.js';
import { findLocalServer } from './find-local-server.js';

const DEFAULT_URL = 'http://127.0.0.1:8080';

/**
 * The server that a command uses: the one named, else the one last signed in to, else one that runs here. A state file in
 * the current folder therefore never replaces what the user has chosen. The credentials are read only if none is named.
 */
export async function chooseServer(env: CliEnv, named: string | undefined): Promise<string> {
  const chosen = named ?? env.url ?? (await lastServer(env)) ?? (await findLocalServer(env.dataDir, process.cwd()));
  return normalizeBase(chosen ?? DEFAULT_URL);
}

/**
 * The server for a new account: the one named, else one that runs here, which most often was just started, else the one
 * last signed in to. No password that is in use goes there, and it is shown before one is asked for.
 */
export async function chooseNewServer(env: CliEnv, named: string | undefined): Promise<string> {
  const chosen = named ?? env.url ?? (await findLocalServer(env.dataDir, process.cwd())) ?? (await lastServer(env));
  return normalizeBase(chosen ?? DEFAULT_URL);
}

const lastServer = async (env: CliEnv): Promise<string | undefined> =>
  (await new CredentialsFile(env.credentialsFile).read()).current;
