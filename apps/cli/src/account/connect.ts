import { arch, hostname, platform } from 'node:os';
import { MillraceClient } from '@millrace/sdk/client';
import { SessionTokens } from '@millrace/sdk/session-tokens';
import type { TokenSource } from '@millrace/sdk/token-source';
import type { Fetch } from '@millrace/sdk/transport';
import { CliError } from '../cli-error.js';
import type { CliEnv } from '../env.js';
import { chooseServer, isLoopback } from './choose-server.js';
import { CredentialsFile, StoredSession } from './credentials-file.js';

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
  return new MillraceClient({ baseUrl, fetch: reach, checkResponses: true, ...(token !== undefined && { token }) });
}

/** The stored session with a server. It renews itself. */
export function openSession(file: CredentialsFile, url: string): SessionTokens {
  const fetch = reachServer(url, { 'user-agent': AGENT });
  return new SessionTokens(new StoredSession(file, url), { baseUrl: url, checkResponses: true, fetch });
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

/** A `fetch` whose failure to reach the server says what to do. */
function reachServer(baseUrl: string, headers: Record<string, string> = {}): Fetch {
  return async (input, init) => {
    try {
      return await fetch(input, { ...init, headers: { ...headers, ...(init.headers as object) } });
    } catch (error) {
      throw init.signal?.aborted ? error : explainMissingServer(baseUrl, error);
    }
  };
}

/** Nothing answers: most often a server of this machine that has not been started. */
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
 * MILLRACE_TOKEN, or null where it is not set. A token does not say which server it is for: it goes to one that the user
 * has named, never to one that was looked up.
 */
function environmentToken({ token, url }: CliEnv, named: string | undefined): string | null {
  if (token !== null && named === undefined && url === null) {
    throw new CliError('MILLRACE_TOKEN is set, but no server. Set MILLRACE_URL too, or use --url.');
  }
  return token;
}
