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

function kidOf(token: string): string | null {
  try {
    const [first = ''] = token.split('.');
    return header.parse(JSON.parse(Buffer.from(first, 'base64url').toString())).kid;
  } catch {
    return null;
  }
}

/** Exactly one token with a dot after the scheme; passport-jwt's own extractor overlooks what follows it. */
const fromHeader: JwtFromRequestFunction = ({ headers }: { headers: IncomingHttpHeaders }) =>
  /^Bearer +([^\s.]+\.[^\s]+) *$/i.exec(headers.authorization ?? '')?.[1] ?? null;

/** `Authorization: Bearer <session JWT>`. A signature (0.1 ms of CPU) is checked once for each token, not each request. */
@Injectable()
export class SessionStrategy extends PassportStrategy(Strategy, 'session') {
  private readonly verified = new LRUCache<string, Claims>({ max: 10_000 });

  constructor(
    private readonly callers: CallerCache,
    keys: SigningKeys,
  ) {
    super({
      jwtFromRequest: fromHeader,
      algorithms: ['ES256'],
      passReqToCallback: true,
      secretOrKeyProvider: (_request, token: string, done) => {
        const kid = kidOf(token);
        if (kid === null) return done(new Error('no key id'));
        keys.find(kid).then(
          (key) => done(key ? null : new Error('unknown key'), key),
          (error: unknown) => done(error as Error),
        );
      },
    });
  }

  /** The caller, where token and caller are known without asking anybody. */
  recall(request: FastifyRequest): Caller | undefined {
    const known = this.knownClaims(request);
    const caller = known && this.callers.find(keyOf(known));
    return caller && toSession(caller, known);
  }

  /** The caller, asking auth where it has to be; null where the session has ended, or the token, or was never verified. */
  async lookUp(request: FastifyRequest): Promise<Caller | null> {
    const known = this.knownClaims(request);
    return known ? this.resolve(known) : null;
  }

  override authenticate(request: Parameters<Strategy['authenticate']>[0], options?: object): void {
    const known = this.knownClaims(request);
    if (!known) return super.authenticate(request, options);
    this.resolve(known).then(
      (caller) => (caller ? this.success(caller) : this.fail(401)),
      (error: unknown) => this.error(error as Error),
    );
  }

  async validate(request: FastifyRequest, payload: unknown): Promise<Caller | false> {
    const parsed = claims.safeParse(payload);
    if (!parsed.success) return false;
    const token = fromHeader(request);
    if (token) this.verified.set(token, parsed.data);
    return (await this.resolve(parsed.data)) ?? false;
  }

  /** What a token says whose signature was found good before, and which has not ended since. */
  private knownClaims(request: Parameters<JwtFromRequestFunction>[0]): Claims | undefined {
    const token = fromHeader(request);
    const known = token === null ? undefined : this.verified.get(token);
    return known && known.exp * 1000 > Date.now() ? known : undefined;
  }

  private async resolve(claims: Claims): Promise<Caller | null> {
    const caller = await this.callers.resolve(keyOf(claims), { user: claims.sub, session: claims.sid });
    return caller && toSession(caller, claims);
  }
}

const keyOf = ({ sub, sid }: Claims): string => `session ${sub} ${sid}`;

const toSession = (caller: Caller, { sid }: Claims): Caller => ({ ...caller, credential: 'session', session: sid });
