import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { normalizeBase } from '@millrace/sdk/build-url';
import type { CliEnv } from '../env.js';
import { CredentialsFile } from './credentials-file.js';

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

const state = z.object({ address: z.url({ protocol: /^http$/ }) });

/**
 * The address of the `npm run up` whose data directory is named, or lies in the current folder or one above it. The file
 * may have come with somebody else's folder, so one that names another machine is passed over: credentials go there.
 */
export async function findLocalServer(dataDir: string | null, folder: string): Promise<string | null> {
  const places = dataDir === null ? above(folder).map((parent) => join(parent, '.millrace')) : [dataDir];
  for (const place of places) {
    const text = await readFile(join(place, 'state.json'), 'utf8').catch(() => null);
    if (text === null) continue;
    const read = state.safeParse(parse(text));
    const address = read.success ? new URL(read.data.address) : null;
    if (address && isLoopback(address)) return address.origin;
  }
  return null;
}

function above(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...above(parent)];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Whether an address leads to this machine and nowhere else. */
export const isLoopback = (url: URL): boolean => LOOPBACK.has(url.hostname);
