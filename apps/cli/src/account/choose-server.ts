import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { normalizeBase } from '@millrace/client';
import type { CliEnv } from '../env.js';
import { CredentialsFile } from './credentials-file.js';

const DEFAULT_URL = 'http://127.0.0.1:8080';

/**
 * Chooses the server of a command: the server in the options or the environment, else the server of the last sign-in, else a
 * local server. A state file in the current folder therefore never replaces the choice of the user. The credentials are read
 * only if the user names no server.
 */
export async function chooseServer(env: CliEnv, named: string | undefined): Promise<string> {
  const chosen = named ?? env.url ?? (await lastServer(env)) ?? (await findLocalServer(env.dataDir, process.cwd()));
  return normalizeBase(chosen ?? DEFAULT_URL);
}

/**
 * Chooses the server for a new account: the server in the options or the environment, else a local server, which was probably
 * just started, else the server of the last sign-in. This sends no existing password to the server, and `signup` shows the
 * address before it prompts for a password.
 */
export async function chooseNewServer(env: CliEnv, named: string | undefined): Promise<string> {
  const chosen = named ?? env.url ?? (await findLocalServer(env.dataDir, process.cwd())) ?? (await lastServer(env));
  return normalizeBase(chosen ?? DEFAULT_URL);
}

const lastServer = async (env: CliEnv): Promise<string | undefined> =>
  (await new CredentialsFile(env.credentialsFile).read()).current;

const state = z.object({ address: z.url({ protocol: /^http$/ }) });

/**
 * Finds the address of a local server (`npm run up`) from its state file in `dataDir`, or in `.millrace` in `folder` or a
 * folder above it. Another user may have created that file, and credentials are sent to the address. Therefore addresses on
 * other machines are ignored.
 */
export async function findLocalServer(dataDir: string | null, folder: string): Promise<string | null> {
  const candidates = dataDir === null ? withParents(folder).map((parent) => join(parent, '.millrace')) : [dataDir];
  for (const candidate of candidates) {
    const text = await readFile(join(candidate, 'state.json'), 'utf8').catch(() => null);
    if (text === null) continue;
    const parsed = state.safeParse(parse(text));
    const address = parsed.success ? new URL(parsed.data.address) : null;
    if (address && isLoopback(address)) return address.origin;
  }
  return null;
}

function withParents(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Whether an address always refers to this machine. */
export const isLoopback = (url: URL): boolean => LOOPBACK.has(url.hostname);
