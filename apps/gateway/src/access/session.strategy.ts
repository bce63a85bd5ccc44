import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Strategy, type JwtFromRequestFunction } from 'passport-jwt';
import { z } from 'zod';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { CallerCache } from './caller-cache.js';
import { SigningKeys } from './signing-keys.js';

const claims = z.object({ sub: z.uuid(), sid: z.uuid(), exp: z.number() });
type Claims = z.output<typeof claims>;

const header = z.object({ kid: z.string() });

function readKeyId(token: string): string | null {
  try {
    const [first = ''] = token.split('.');
    return header.parse(JSON.parse(Buffer.from(first, 'base64url').toString())).kid;
  } catch {
    return null;
  }
}

/** Exactly one token with a dot after the scheme. passport-jwt's own extractor ignores anything that follows it. */
const readSessionToken: JwtFromRequestFunction = ({ headers }: { headers: IncomingHttpHeaders }) =>
  /^Bearer +([^\s.]+\.[^\s]+) *$/i.exec(headers.authorization ?? '')?.[1] ?? null;

/** `Authorization: Bearer <session JWT>`. Each token's signature (0.1 ms of CPU) is checked once, not on every request. */
@Injectable()
export class SessionStrategy extends PassportStrategy(Strategy, 'session') {
  private readonly verified = new LRUCache<string, Claims>({ max: 10_000 });

  constructor(
    private readonly callers: CallerCache,
    keys: SigningKeys,
  ) {
    super({
      jwtFromRequest: readSessionToken,
      algorithms: ['ES256'],
      passReqToCallback: true,
      secretOrKeyProvider: (_request, token: string, done) => {
        const kid = readKeyId(token);
        if (kid === null) return done(new Error('The token has no key id'));
        keys.find(kid).then(
          (key) => done(key ? null : new Error('The key of the token is unknown'), key),
          (error: unknown) => done(error as Error),
        );
      },
    });
  }

  /** @returns the caller if the token is verified and the caller cached; makes no request */
  findCached(request: FastifyRequest): Caller | undefined {
    const verifiedClaims = this.findVerifiedClaims(request);
    const caller = verifiedClaims && this.callers.find(cacheKeyOf(verifiedClaims));
    return caller && toSessionCaller(caller, verifiedClaims);
  }

  /** @returns the caller, from the cache or from auth; null if the session or token has ended or was never verified */
  async resolve(request: FastifyRequest): Promise<Caller | null> {
    const verifiedClaims = this.findVerifiedClaims(request);
    return verifiedClaims ? this.resolveClaims(verifiedClaims) : null;
  }

  override authenticate(request: Parameters<Strategy['authenticate']>[0], options?: object): void {
    const verifiedClaims = this.findVerifiedClaims(request);
    if (!verifiedClaims) return super.authenticate(request, options);
    this.resolveClaims(verifiedClaims).then(
      (caller) => (caller ? this.success(caller) : this.fail(401)),
      (error: unknown) => this.error(error as Error),
    );
  }

  async validate(request: FastifyRequest, payload: unknown): Promise<Caller | false> {
    const parsed = claims.safeParse(payload);
    if (!parsed.success) return false;
    const token = readSessionToken(request);
    if (token) this.verified.set(token, parsed.data);
    return (await this.resolveClaims(parsed.data)) ?? false;
  }

  /** @returns the claims of a token whose signature was verified before, unless it has expired */
  private findVerifiedClaims(request: Parameters<JwtFromRequestFunction>[0]): Claims | undefined {
    const token = readSessionToken(request);
    const verifiedClaims = token === null ? undefined : this.verified.get(token);
    return verifiedClaims && verifiedClaims.exp * 1000 > Date.now() ? verifiedClaims : undefined;
  }

  private async resolveClaims(claims: Claims): Promise<Caller | null> {
    const caller = await this.callers.resolve(cacheKeyOf(claims), { user: claims.sub, session: claims.sid });
    return caller && toSessionCaller(caller, claims);
  }
}

const cacheKeyOf = ({ sub, sid }: Claims): string => `session ${sub} ${sid}`;

const toSessionCaller = (caller: Caller, { sid }: Claims): Caller => ({
  ...caller,
  credential: 'session',
  session: sid,
});
