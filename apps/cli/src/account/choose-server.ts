import { normalizeBase } from '@millrace/sdk/build-url';
import type { CliEnv } from '../env.js';
import { CredentialsFile } from './credentials-file.js';
import { findLocalServer } from './find-local-server.js';

const DEFAULT_URL = 'http://127.0.0.1:8080';

/** The server that a command goes to: the one named, else the one signed in to, else a local one. */
export async function chooseServer(env: CliEnv, named: string | undefined): Promise<string> {
  const { current } = await new CredentialsFile(env.credentialsFile).read();
  return normalizeBase(named ?? env.url ?? current ?? (await localServer(env)));
}

/** The server that is signed in to: one that runs here goes before the last one. */
export async function chooseNewServer(env: CliEnv, named: string | undefined): Promise<string> {
  return normalizeBase(named ?? env.url ?? (await localServer(env)));
}

const localServer = async (env: CliEnv): Promise<string> =>
  (await findLocalServer(env.dataDir, process.cwd())) ?? DEFAULT_URL;
