import { arch, hostname, platform } from 'node:os';
import { MillraceClient } from '@millrace/sdk/client';
import { SessionTokens } from '@millrace/sdk/session-tokens';
import type { TokenSource } from '@millrace/sdk/token-source';
import { CliError } from '../cli-error.js';
import type { CliEnv } from '../env.js';
import { chooseServer } from './choose-server.js';
import { CredentialsFile } from './credentials-file.js';
import { environmentToken } from './environment-token.js';
import { explainMissingServer } from './explain-missing-server.js';
import { reachServer } from './reach-server.js';
import { StoredSession } from './stored-session.js';

/** By this a user tells in the list of sessions, and before letting it in, which machine it is. */
const AGENT = `millrace-cli (${platform()} ${arch()}; ${hostname().replaceAll(/[^\x21-\x7e]/g, '')})`;

/** A client for the chosen server, signed in. */
export async function connect(env: CliEnv, options: { url?: string }): Promise<MillraceClient> {
  const given = environmentToken(env, options.url);
  const url = await chooseServer(env, options.url);
  const token = given ?? (await storedToken(env, url));
  if (token === null) throw await notSignedIn(url);
  return openClient(url, token);
}

/** A client whose failure to reach the server says what to do. */
export function openClient(baseUrl: string, token?: string | TokenSource): MillraceClient {
  const reach = reachServer(baseUrl, { 'user-agent': AGENT });
  return new MillraceClient({ baseUrl, fetch: reach, checkAnswers: true, ...(token !== undefined && { token }) });
}

/** The stored session with a server. It renews itself. */
export function openSession(file: CredentialsFile, url: string): SessionTokens {
  const fetch = reachServer(url, { 'user-agent': AGENT });
  return new SessionTokens(new StoredSession(file, url), { baseUrl: url, checkAnswers: true, fetch });
}

async function storedToken(env: CliEnv, url: string): Promise<string | TokenSource | null> {
  const file = new CredentialsFile(env.credentialsFile);
  const account = (await file.read()).servers[url];
  if (account?.token !== undefined) return account.token;
  if (account?.session === undefined) return null;
  const tokens = openSession(file, url);
  return {
    current: async () => (await tokens.current()) ?? Promise.reject(await notSignedIn(url)),
    renew: (refused) => tokens.renew(refused),
  };
}

async function notSignedIn(url: string): Promise<CliError> {
  try {
    await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(3_000) });
  } catch (error) {
    return explainMissingServer(url, error);
  }
  return new CliError(
    `You are not signed in to ${url}.\n` +
      `  Make an account:  npx millrace signup --url ${url}\n` +
      `  Or sign in:       npx millrace login --url ${url}\n` +
      '  For scripts, set MILLRACE_URL and MILLRACE_TOKEN.',
  );
}
