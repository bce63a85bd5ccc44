import { Controller } from '@nestjs/common';
import { refreshSession } from '@millrace/contracts/auth/sessions';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { clientFields } from '@millrace/messaging/rpc/client-fields';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { writeAuditEntry } from '../audit/write-audit-entry.js';
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
   * A reused refresh token ends its session: two clients have the token, and the service cannot determine which of them is
   * the user (RFC 9700, 4.14.2). A token that was never issued ends nothing.
   */
  @OperationHandler(refreshSession)
  async refresh({ body }: Input<typeof refreshSession>, context: Context): Promise<Result<typeof refreshSession>> {
    const session = this.refreshTokens.sessionOf(body.refresh);
    if (!session) throw unknownTokenError();
    const tokens = await this.database.transaction((tx) => this.sessions.rotate(tx, session, body.refresh));
    if (tokens) return tokens;
    throw await this.rejectToken(session, context);
  }

  private async rejectToken(id: string, context: Context): Promise<ApiError> {
    const session = await this.database.client.session.findUnique({ where: { id }, include: { user: true } });
    if (!session || session.revokedAt) return unknownTokenError();
    if (session.expiresAt <= new Date()) return sessionExpiredError();
    await this.database.transaction(async (tx) => {
      const ended = await this.sessions.end(tx, id);
      // The token of a disabled user is rejected without having been reused.
      if (!ended || session.user.disabledAt) return;
      await writeAuditEntry(tx, {
        vault: session.user.vaultId,
        actor: null,
        action: 'session.reuse_detected',
        target: { type: 'session', id, name: ended.client },
        details: { user: session.userId },
        ...clientFields(context.envelope),
      });
    });
    return unknownTokenError();
  }
}

const unknownTokenError = () => new ApiError('invalid_credentials', 'The refresh token is not valid. Sign in again.');
const sessionExpiredError = () => new ApiError('expired_token', 'The session has expired. Sign in again.');
