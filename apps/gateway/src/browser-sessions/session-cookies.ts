import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionTokens } from '@millrace/contracts/auth/session-tokens';

/** As long as a refresh token is valid. A browser also keeps an expired access token, which shows that it was signed in. */
const MAX_AGE_SECONDS = 30 * 24 * 60 * 60;

type TokenName = 'access' | 'refresh';
const TOKEN_NAMES: readonly TokenName[] = ['access', 'refresh'];

/** The tokens that a browser sent. At least one of them exists. */
export type SentTokens = Partial<Record<TokenName, string>>;

/** @returns null if the browser sent no token in a cookie */
export function readSessionCookies(request: FastifyRequest): SentTokens | null {
  const { cookie } = request.headers;
  if (cookie === undefined) return null;
  const sent = request.server.parseCookie(cookie);
  const tokens = TOKEN_NAMES.flatMap((token) => {
    const value = sent[cookieName(request, token)];
    return value === undefined || value === '' ? [] : [[token, value]];
  });
  return tokens.length === 0 ? null : (Object.fromEntries(tokens) as SentTokens);
}

/** Stores the tokens in the browser. A response must not be stored with its cookies, so it is not cached by default. */
export function writeSessionCookies(reply: FastifyReply, tokens: SessionTokens): void {
  setCookies(reply, (token) => tokens[token], MAX_AGE_SECONDS);
  void reply.header('cache-control', 'no-store');
}

/** Deletes the tokens from the browser. */
export function clearSessionCookies(reply: FastifyReply): void {
  setCookies(reply, () => '', 0);
}

/**
 * Sets the header itself: a response that is written past Fastify has no hook in which a plugin could add it.
 * The tokens consist of characters that a cookie may contain.
 */
function setCookies(reply: FastifyReply, valueOf: (token: TokenName) => string, maxAge: number): void {
  const { request } = reply;
  const names = TOKEN_NAMES.map((token) => cookieName(request, token));
  const others = [reply.getHeader('set-cookie')]
    .flat()
    .filter((line): line is string => typeof line === 'string' && !names.some((name) => line.startsWith(`${name}=`)));
  const attributes = {
    path: '/api',
    httpOnly: true,
    sameSite: 'strict' as const,
    secure: request.isTls,
    maxAge,
  };
  const lines = TOKEN_NAMES.map((token, index) =>
    request.server.serializeCookie(names[index] ?? '', valueOf(token), attributes),
  );
  void reply.removeHeader('set-cookie').header('set-cookie', [...others, ...lines]);
}

/**
 * `millrace_access_8080`. Cookies belong to a host with all its ports, and a host may have several installations. Behind
 * TLS, the prefix makes browsers refuse the cookie from a page without TLS (RFC 6265bis, 4.1.3.1).
 */
function cookieName({ publicOrigin, isTls }: FastifyRequest, token: TokenName): string {
  const { port, protocol } = new URL(publicOrigin);
  return `${isTls ? '__Secure-' : ''}millrace_${token}_${port || (protocol === 'https:' ? 443 : 80)}`;
}
