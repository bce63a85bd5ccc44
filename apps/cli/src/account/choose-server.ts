import { normalizeBase } from '@millrace/sdk/build-url';
import type { CliEnv } from '../env.js';
import { CredentialsFile } from './credentials-file.js';
import { findLocalServer } from './find-local-server.js';

const DEFAULT_URL = 'http://127.0.0.1:8080';

/**
 * The server that a command goes to: the one named, else the one last signed in to, else one that runs here. What lies in
 * the current folder so never takes the place of what the user has chosen.
 */
export async function chooseServer(env: CliEnv, named: string | undefined): Promise<string> {
  const { current } = await new CredentialsFile(env.credentialsFile).read();
  return normalizeBase(named ?? env.url ?? current ?? (await localServer(env)));
}

/**
 * The server for a new account: the one named, else one that runs here, which most often was just started, else the one
 * last signed in to. No password that is in use goes there, and it is shown before one is asked for.
 */
export async function chooseNewServer(env: CliEnv, named: string | undefined): Promise<string> {
  const { current } = await new CredentialsFile(env.credentialsFile).read();
  return normalizeBase(
    named ?? env.url ?? (await findLocalServer(env.dataDir, process.cwd())) ?? current ?? DEFAULT_URL,
  );
}

const localServer = async (env: CliEnv): Promise<string> =>
  (await findLocalServer(env.dataDir, process.cwd())) ?? DEFAULT_URL;
