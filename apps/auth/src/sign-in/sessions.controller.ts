import { Controller } from '@nestjs/common';
import { login, logout, refreshSession } from '@millrace/contracts/auth/sessions';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/context';
import { Handles } from '@millrace/messaging/handles';
import { Database } from '@millrace/persistence/database';
import type { User } from '@millrace/persistence/generated/client';
import { verifyPassword } from '../passwords/hash-password.js';
import { toUser } from '../to-user.js';
import { sessionOf } from './refresh-token.js';
import { SessionsService, signInFrom } from './sessions.service.js';
import { SignInLimits } from './sign-in-limits.js';

@Controller()
export class SessionsController {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionsService,
    private readonly limits: SignInLimits,
  ) {}

  @Handles(login)
  async login({ body }: Input<typeof login>, context: Context): Promise<Result<typeof login>> {
    const email = body.email.trim().toLowerCase();
    const verify = () => this.verify(email, body.password);
    const user = await this.limits.attempt(email, context.envelope.client?.address ?? '', verify);
    if (!user) throw new ApiError('invalid_credentials', 'Email or password is not right');
    return this.database.transaction(async (tx) => ({
      ...(await this.sessions.begin(tx, user, signInFrom(context))),
      user: toUser(user),
    }));
  }

  /**
   * A refresh token that was used before, or never was one of a session that exists, ends that session: somebody else
   * has it too, and which of the two is the user cannot be told (RFC 9700, 4.14.2).
   */
  @Handles(refreshSession)
  async refresh({ body }: Input<typeof refreshSession>): Promise<Result<typeof refreshSession>> {
    const session = sessionOf(body.refresh);
    if (!session) throw unknownToken();
    const tokens = await this.database.transaction((tx) => this.sessions.rotate(tx, session, body.refresh));
    if (tokens) return tokens;
    await this.refuse(session);
    throw unknownToken();
  }

  @Handles(logout)
  async logout({ body }: Input<typeof logout>, { caller }: Context): Promise<Result<typeof logout>> {
    const session = sessionOf(body.refresh);
    if (!session) return { success: false };
    await this.sessions.revoke(session, caller.user);
    const own = await this.database.client.session.count({ where: { id: session, userId: caller.user } });
    return { success: own === 1 };
  }

  private async refuse(id: string): Promise<void> {
    const session = await this.database.client.session.findUnique({ where: { id } });
    if (!session || session.revokedAt) return;
    await this.sessions.revoke(id);
    if (session.expiresAt <= new Date()) throw new ApiError('expired_token', 'The session has ended; sign in again');
  }

  private async verify(email: string, password: string): Promise<User | null> {
    const user = await this.database.client.user.findUnique({ where: { email } });
    const isRight = await verifyPassword(password, user?.passwordHash ?? null);
    return isRight && user && !user.disabledAt ? user : null;
  }
}

const unknownToken = () => new ApiError('invalid_credentials', 'The refresh token is not valid; sign in again');
