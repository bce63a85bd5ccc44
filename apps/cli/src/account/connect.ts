import { arch, hostname, platform } from 'node:os';
import { ConnectionError, type Fetch, MillraceClient, SessionTokens, type TokenSource } from '@millrace/client';
import { EXIT } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { describeMissingServer } from '../describe-missing-server.js';
import type { CliEnv } from '../env.js';
import { chooseServer } from './choose-server.js';
import { CredentialsFile, findProfile, StoredSession } from './credentials-file.js';
import { validate } from './validate.js';

/** Identifies this machine in the list of sessions, and on the page where the user approves a sign-in. */
const USER_AGENT = `millrace-cli (${platform()} ${arch()}; ${hostname().replaceAll(/[^\x21-\x7e]/g, '')})`;

/** Opens a client for the chosen server with the stored session, or with the token in the environment. */
export async function connect(env: CliEnv): Promise<MillraceClient> {
  return (await findAccount(env)).open();
}

/** Finds the server and the token, and opens clients with them. */
export async function findAccount(env: CliEnv): Promise<{ open: (userAgent?: () => string) => MillraceClient }> {
  const environmentToken = readEnvironmentToken(env);
  const url = await chooseServer(env);
  const token = environmentToken ?? (await readStoredToken(env, url));
  if (token === null) throw await explainMissingSession(url);
  return { open: (userAgent) => openClient(url, token, userAgent) };
}

/** Opens a client that has this token, or none. */
export function openClient(
  baseUrl: string,
  token?: string | TokenSource,
  userAgent: () => string = () => USER_AGENT,
): MillraceClient {
  return new MillraceClient({
    baseUrl,
    fetch: createFetch(userAgent),
    validate,
    ...(token !== undefined && { token }),
  });
}

/** Opens the stored session of a profile, which is renewed automatically. */
export function openSession(file: CredentialsFile, profile: string, url: string): SessionTokens {
  return new SessionTokens(new StoredSession(file, profile), { baseUrl: url, validate, fetch: createFetch() });
}

async function readStoredToken(env: CliEnv, url: string): Promise<string | TokenSource | null> {
  const file = new CredentialsFile(env.credentialsFile);
  const credentials = await file.read();
  const name = findProfile(credentials, { name: env.profile, url });
  const profile = name === undefined ? undefined : credentials.profiles[name];
  // A token is sent only to the server that gave it.
  if (name === undefined || profile?.url !== url) return null;
  if (profile.token !== undefined) return profile.token;
  if (profile.session === undefined) return null;
  const tokens = openSession(file, name, url);
  return {
    current: async () => (await tokens.current()) ?? Promise.reject(await explainMissingSession(url)),
    renew: (refused) => tokens.renew(refused),
  };
}

async function explainMissingSession(url: string): Promise<CliError> {
  try {
    await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(3_000) });
  } catch (error) {
    return new CliError(describeMissingServer(new ConnectionError(url, error)), {
      exitCode: EXIT.network,
      cause: error,
    });
  }
  return new CliError(
    `You are not signed in to ${url}.\n` +
      `  To create an account:  millrace signup --url ${url}\n` +
      `  To sign in:            millrace login --url ${url}\n` +
      '  For scripts, set MILLRACE_URL and MILLRACE_TOKEN.',
    { exitCode: EXIT.authentication },
  );
}

/** `fetch` with the name of this program and machine. */
function createFetch(userAgent = () => USER_AGENT): Fetch {
  return (url, init) => fetch(url, { ...init, headers: { 'user-agent': userAgent(), ...(init.headers as object) } });
}

/**
 * Returns MILLRACE_TOKEN, or null if it is not set. A token does not name its server, so it is sent only to a server that the
 * user names, never to one that was looked up.
 */
function readEnvironmentToken({ token, url, profile }: CliEnv): string | null {
  if (token !== null && url === null && profile === null) {
    throw new CliError('MILLRACE_TOKEN is set, but no server is named. Set MILLRACE_URL, too, or use --url.');
  }
  return token;
}
