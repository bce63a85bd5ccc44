import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { User } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { writeAuditEntry } from '../audit/write-audit-entry.js';
import { SigningKeys } from '../keys/signing-keys.js';
import { hashSecret } from '../secrets/random-token.js';
import { RefreshTokens } from './refresh-tokens.js';

export const ISSUER = 'millrace';
const ACCESS_TOKEN_SECONDS = 15 * 60;
const SESSION_VALID_MS = 30 * 24 * 3_600_000;

export interface Tokens {
  access: string;
  refresh: string;
  expiresAt: string;
}

/** The client of a sign-in and its address. */
export interface SignInOrigin {
  client: 'web' | 'svc-cli';
  address?: string;
  agent?: string;
}

/** The origin of a request that signs in directly. */
export const signInOrigin = ({ envelope }: Context): SignInOrigin => {
  const { address, agent } = envelope.client ?? {};
  return { client: 'web', ...(address && { address }), ...(agent && { agent }) };
};

/** Creates and renews sessions. A session is a family of refresh tokens; only the newest is valid. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly jwt: JwtService,
    private readonly keys: SigningKeys,
    private readonly refreshTokens: RefreshTokens,
  ) {}

  /** Begins a session for an authenticated user. */
  async begin(tx: Transaction, user: Pick<User, 'id' | 'vaultId'>, origin: SignInOrigin): Promise<Tokens> {
    const id = newId();
    const refresh = this.refreshTokens.make(id);
    await tx.session.create({
      data: { id, userId: user.id, refreshHash: hashSecret(refresh), expiresAt: expiry(), ...origin },
    });
    await writeAuditEntry(tx, {
      vault: user.vaultId,
      actor: user.id,
      action: 'session.started',
      target: { type: 'session', id, name: origin.client },
      ...(origin.address !== undefined && { address: origin.address }),
    });
    return { refresh, ...this.signAccess(id, user) };
  }

  /**
   * Exchanges the newest refresh token of a session for the next one. One statement checks and replaces it, so that only one
   * of two concurrent requests with the same token receives tokens.
   * @returns undefined if the token is not the newest of an active session
   */
  async rotate(tx: Transaction, session: string, refresh: string): Promise<Tokens | undefined> {
    const next = this.refreshTokens.make(session);
    const [user] = await tx.$queryRaw<Pick<User, 'id' | 'vaultId'>[]>`
      UPDATE auth.session s
      SET refresh_hash = ${hashSecret(next)}, generation = s.generation + 1, expires_at = ${expiry()}, last_used_at = now()
      FROM auth."user" u
      WHERE s.id = ${session}::uuid AND s.refresh_hash = ${hashSecret(refresh)}
        AND s.revoked_at IS NULL AND s.expires_at > now() AND u.id = s.user_id AND u.disabled_at IS NULL
      RETURNING u.id, u.vault_id AS "vaultId"`;
    return user && { refresh: next, ...this.signAccess(session, user) };
  }

  /** Ends a session with all its tokens. @returns the session; undefined if it was not active */
  async end(tx: Transaction, id: string): Promise<{ id: string; client: string } | undefined> {
    const [ended] = await tx.session.updateManyAndReturn({
      where: { id, ...activeSession() },
      data: { revokedAt: new Date() },
      select: { id: true, client: true },
    });
    return ended;
  }

  /** Ends all sessions of a user, and deletes pending sign-ins. */
  async endAll(tx: Transaction, user: string): Promise<void> {
    await tx.session.updateMany({ where: { userId: user, revokedAt: null }, data: { revokedAt: new Date() } });
    await tx.signInTicket.deleteMany({ where: { userId: user } });
    await tx.deviceGrant.updateMany({ where: { userId: user, status: 'approved' }, data: { status: 'denied' } });
  }

  private signAccess(session: string, user: Pick<User, 'id' | 'vaultId'>): Pick<Tokens, 'access' | 'expiresAt'> {
    const { kid, privateKey } = this.keys.current;
    const iat = Math.floor(Date.now() / 1000);
    const exp = iat + ACCESS_TOKEN_SECONDS;
    const access = this.jwt.sign(
      { sub: user.id, sid: session, vault: user.vaultId, iss: ISSUER, iat, exp },
      { algorithm: 'ES256', keyid: kid, privateKey },
    );
    return { access, expiresAt: new Date(exp * 1000).toISOString() };
  }
}

/** Prisma filter: neither ended nor expired. */
export const activeSession = () => ({ revokedAt: null, expiresAt: { gt: new Date() } });

const expiry = (): Date => new Date(Date.now() + SESSION_VALID_MS);
