import { arch, hostname, platform } from 'node:os';
import { MillraceClient } from '@millrace/sdk/client';
import { SessionTokens } from '@millrace/sdk/session-tokens';
import type { TokenSource } from '@millrace/sdk/token-source';
import type { Fetch } from '@millrace/sdk/transport';
import { CliError } from '../cli-error.js';
import type { CliEnv } from '../env.js';
import { chooseServer, isLoopback } from './choose-server.js';
import { CredentialsFile, StoredSession } from './credentials-file.js';

/** Identifies this machine in the list of sessions, and on the page where the user approves a sign-in. */
const USER_AGENT = `millrace-cli (${platform()} ${arch()}; ${hostname().replaceAll(/[^\x21-\x7e]/g, '')})`;

/** Opens a client for the chosen server with the stored session, or with the token in the environment. */
export async function connect(env: CliEnv, options: { url?: string }): Promise<MillraceClient> {
  const environmentToken = readEnvironmentToken(env, options.url);
  const url = await chooseServer(env, options.url);
  const token = environmentToken ?? (await readStoredToken(env, url));
  if (token === null) throw await explainMissingSession(url);
  return openClient(url, token);
}

/** Opens a client whose error explains what to do if the server does not respond. */
export function openClient(baseUrl: string, token?: string | TokenSource): MillraceClient {
  const fetch = createFetch(baseUrl);
  return new MillraceClient({ baseUrl, fetch, checkResponses: true, ...(token !== undefined && { token }) });
}

/** Opens the stored session with a server, which is renewed automatically. */
export function openSession(file: CredentialsFile, url: string): SessionTokens {
  const fetch = createFetch(url);
  return new SessionTokens(new StoredSession(file, url), { baseUrl: url, checkResponses: true, fetch });
}

async function readStoredToken(env: CliEnv, url: string): Promise<string | TokenSource | null> {
  const file = new CredentialsFile(env.credentialsFile);
  const account = (await file.read()).servers[url];
  if (account?.token !== undefined) return account.token;
  if (account?.session === undefined) return null;
  const tokens = openSession(file, url);
  return {
    current: async () => (await tokens.current()) ?? Promise.reject(await explainMissingSession(url)),
    renew: (refused) => tokens.renew(refused),
  };
}

async function explainMissingSession(url: string): Promise<CliError> {
  try {
    await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(3_000) });
  } catch (error) {
    return explainMissingServer(url, error);
  }
  return new CliError(
    `You are not signed in to ${url}.\n` +
      `  To create an account:  npx millrace signup --url ${url}\n` +
      `  To sign in:            npx millrace login --url ${url}\n` +
      '  For scripts, set MILLRACE_URL and MILLRACE_TOKEN.',
  );
}

/** A `fetch` whose error explains what to do if the server does not respond. */
function createFetch(baseUrl: string): Fetch {
  return async (input, init) => {
    try {
      return await fetch(input, { ...init, headers: { 'user-agent': USER_AGENT, ...(init.headers as object) } });
    } catch (error) {
      throw init.signal?.aborted ? error : explainMissingServer(baseUrl, error);
    }
  };
}

/** Explains that no server responds. Most often, the server on this machine has not been started. */
function explainMissingServer(url: string, cause: unknown): CliError {
  const advice = isLoopback(new URL(url))
    ? 'Start Millrace with: npm run up\nIf it runs on another port, set MILLRACE_URL=http://127.0.0.1:<port>'
    : 'Check the address (--url or MILLRACE_URL) and your network.';
  return new CliError(`No server responds at ${url} (${reasonOf(cause)}).\n${advice}`, { cause });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error.cause instanceof AggregateError ? (error.cause.errors[0] as unknown) : error.cause;
  return inner instanceof Error && inner.message !== '' ? inner.message : error.message;
}

/**
 * Returns MILLRACE_TOKEN, or null if it is not set. A token does not name its server, so it is sent only to a server that the
 * user names, never to one that was looked up.
 */
function readEnvironmentToken({ token, url }: CliEnv, named: string | undefined): string | null {
  if (token !== null && named === undefined && url === null) {
    throw new CliError('MILLRACE_TOKEN is set, but no server is named. Set MILLRACE_URL, too, or use --url.');
  }
  return token;
}
