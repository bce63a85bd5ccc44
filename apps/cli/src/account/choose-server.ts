import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { normalizeBase } from '@millrace/client';
import { EXIT } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import type { CliEnv } from '../env.js';
import { CredentialsFile } from './credentials-file.js';

const DEFAULT_URL = 'http://127.0.0.1:8080';

/**
 * Chooses the server of a command: the server of `--url` or the environment, else the server of the named or the current
 * profile, else a local server. A state file in the current folder therefore never replaces the choice of the user. The
 * credentials are read only if the user names no server.
 */
export async function chooseServer(env: CliEnv): Promise<string> {
  const chosen = env.url ?? (await serverOfProfile(env)) ?? (await findLocalServer(env.dataDir, process.cwd()));
  return normalizeBase(chosen ?? DEFAULT_URL);
}

/**
 * Chooses the server for a new account: the server of `--url` or the environment, else a local server, which was probably
 * just started, else the server of the current profile. This sends no existing password to the server, and `signup` shows the
 * address before it prompts for a password.
 */
export async function chooseNewServer(env: CliEnv): Promise<string> {
  const local = () => findLocalServer(env.dataDir, process.cwd());
  const chosen = env.url ?? (await local()) ?? (await serverOfProfile({ ...env, profile: null }));
  return normalizeBase(chosen ?? DEFAULT_URL);
}

/** @throws CliError if the named profile does not exist */
async function serverOfProfile({ credentialsFile, profile }: CliEnv): Promise<string | undefined> {
  const { current, profiles } = await new CredentialsFile(credentialsFile).read();
  if (profile === null) return current === undefined ? undefined : profiles[current]?.url;
  if (!Object.hasOwn(profiles, profile)) throw explainMissingProfile(profile, Object.keys(profiles));
  return profiles[profile]?.url;
}

export function explainMissingProfile(name: string, existing: readonly string[]): CliError {
  const list = existing.length === 0 ? 'There are none.' : `Your profiles are: ${existing.join(', ')}.`;
  return new CliError(
    `No profile is named "${name}". ${list}\n  To create it:  millrace login --url <address> --profile ${name}`,
    { exitCode: EXIT.authentication },
  );
}

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
