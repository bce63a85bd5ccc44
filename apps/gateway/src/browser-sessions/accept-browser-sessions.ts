import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_HEADER } from '@millrace/contracts/auth/session-tokens';
import { ForbiddenError, ValidationError } from '@millrace/contracts/kit/api-error';
import { restOperations } from '@millrace/contracts/registry';
import { addressSubject } from '../limits/address-subject.js';
import type { RateLimits } from '../limits/rate-limits.js';
import { requestOrigin } from '../routes/public-url.js';
import { routePathOf } from '../routes/route.js';
import { clearSessionCookies, readSessionCookies, writeSessionCookies, type SentTokens } from './session-cookies.js';
import type { SessionRenewals } from './session-renewals.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the credential of the request comes from cookies. */
    usesSessionCookies: boolean;
  }
}

/** An access token that ends sooner is renewed, because it could end before the request has been handled. */
const MIN_REMAINING_MS = 30_000;
const SAFE_METHODS = ['GET', 'HEAD'];

interface Services {
  /** Path below which operations are. */
  base: string;
  renewals: SessionRenewals;
  limits: RateLimits;
}

/**
 * Accepts sessions of browsers, whose tokens are in cookies that no script can read (decision 23). The access token becomes
 * the `Authorization` header of the request, so guards, limits and logs treat it as that of any client. An expired one is
 * exchanged first.
 */
export function acceptBrowserSessions(fastify: FastifyInstance, { base, renewals, limits }: Services): void {
  const routes = routesWithCredentials(base);
  fastify.decorateRequest('usesSessionCookies', false);
  fastify.addHook('onRequest', async (request, reply) => {
    checkSessionHeader(request);
    const { method, routeOptions, headers } = request;
    if (headers.cookie === undefined || headers.authorization !== undefined) return;
    if (!routes.has(`${method === 'HEAD' ? 'GET' : method} ${routeOptions.url}`)) return;
    const sent = readSessionCookies(request);
    if (sent === null || !acceptsCookies(request)) return;
    const access = await currentAccess(sent, reply);
    if (access === null) return;
    request.usesSessionCookies = true;
    headers.authorization = `Bearer ${access}`;
  });
  // The session has ended in another way than by a sign-out, which its next request learns by this response.
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    if (request.usesSessionCookies && reply.statusCode === 401) clearSessionCookies(reply);
    done();
  });

  /** @returns null if the session has ended; its cookies are then deleted */
  async function currentAccess({ access, refresh }: SentTokens, reply: FastifyReply): Promise<string | null> {
    if (access !== undefined && endOf(access) - Date.now() > MIN_REMAINING_MS) return access;
    const { request } = reply;
    // Anyone can invent cookies, so an address without tokens left causes no further request to auth.
    limits.rejectExhausted(addressSubject(request.ip));
    const tokens = refresh === undefined ? null : await renewals.renew(refresh, request);
    if (tokens === null) clearSessionCookies(reply);
    else writeSessionCookies(reply, tokens);
    return tokens?.access ?? null;
  }
}

/** `GET /api/users/me`: the routes of operations that need a credential. On others, cookies mean nothing. */
const routesWithCredentials = (base: string): Set<string> =>
  new Set(
    restOperations
      .filter(({ access }) => access.kind !== 'public')
      .map((operation) => `${operation.method} ${base}${routePathOf(operation)}`),
  );

/** A page of another origin cannot send this header. The check of the origin is a second line of defence. */
function checkSessionHeader(request: FastifyRequest): void {
  const value = request.headers[SESSION_HEADER.toLowerCase()];
  if (value === undefined) return;
  if (value !== 'cookie') throw new ValidationError({ [`header.${SESSION_HEADER}`]: 'must be "cookie"' });
  if (request.headers.origin !== undefined && !isOwnOrigin(request)) throw foreignOriginError(request);
}

/**
 * Browsers add cookies also to requests of foreign pages on the same site, such as another port of this host. A request
 * that may change something therefore has to name its page's origin; every browser does (Fetch, 3.2). To a request that
 * reads, a foreign page gets no access, so it is enough to ignore its cookies.
 * @returns whether to use the cookies; @throws ForbiddenError
 */
function acceptsCookies(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (SAFE_METHODS.includes(request.method)) return site === undefined || site === 'same-origin' || site === 'none';
  if (!isOwnOrigin(request)) throw foreignOriginError(request);
  return true;
}

const isOwnOrigin = (request: FastifyRequest): boolean =>
  [request.publicOrigin, requestOrigin(request)].includes(request.headers.origin ?? '');

function foreignOriginError({ headers: { origin } }: FastifyRequest): ForbiddenError {
  const got = origin === undefined ? 'no header "Origin"' : `"Origin: ${origin.slice(0, 100)}"`;
  return new ForbiddenError(
    `A session in cookies can change something only from pages of this installation (got ${got}). If this is its address, set PUBLIC_URL to it.`,
  );
}

/** When a JWT ends, in milliseconds since the epoch; 0 for anything else. Whether it is genuine is checked later. */
function endOf(jwt: string): number {
  try {
    const { exp } = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as { exp?: unknown };
    return typeof exp === 'number' ? exp * 1000 : 0;
  } catch {
    return 0;
  }
}
