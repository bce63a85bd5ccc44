import { Controller } from '@nestjs/common';
import { refreshSession } from '@millrace/contracts/auth/sessions';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { fromAddress, noteAudit } from '../audit/write-audit-entry.js';
import { RefreshTokens } from './refresh-tokens.js';
import { SessionsService } from './sessions.service.js';

@Controller()
export class RefreshController {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionsService,
    private readonly refreshTokens: RefreshTokens,
  ) {}

  /**
   * A refresh token that was used before ends its session: somebody else has it too, and which of the two is the user
   * cannot be told (RFC 9700, 4.14.2). One that was never given out ends nothing.
   */
  @OperationHandler(refreshSession)
  async refresh({ body }: Input<typeof refreshSession>, context: Context): Promise<Result<typeof refreshSession>> {
    const session = this.refreshTokens.sessionOf(body.refresh);
    if (!session) throw unknownToken();
    const tokens = await this.database.transaction((tx) => this.sessions.rotate(tx, session, body.refresh));
    if (tokens) return tokens;
    throw await this.refuse(session, context);
  }

  private async refuse(id: string, context: Context): Promise<ApiError> {
    const session = await this.database.client.session.findUnique({ where: { id }, include: { user: true } });
    if (!session || session.revokedAt) return unknownToken();
    if (session.expiresAt <= new Date()) return sessionOver();
    await this.database.transaction(async (tx) => {
      const ended = await this.sessions.end(tx, id);
      // What a disabled user brings is refused though it was never used.
      if (!ended || session.user.disabledAt) return;
      await noteAudit(tx, {
        vault: session.user.vaultId,
        actor: null,
        action: 'session.reuse_detected',
        target: { type: 'session', id, name: ended.client },
        details: { user: session.userId },
        ...fromAddress(context),
      });
    });
    return unknownToken();
  }
}

const unknownToken = () => new ApiError('invalid_credentials', 'The refresh token is not valid; sign in again');
const sessionOver = () => new ApiError('expired_token', 'The session has ended; sign in again');
