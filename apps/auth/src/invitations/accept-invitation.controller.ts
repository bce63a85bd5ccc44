import { Controller } from '@nestjs/common';
import { acceptInvitation, describeInvitation } from '@millrace/contracts/auth/invitations';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { checkPassword } from '../passwords/check-password.js';
import { hashPassword } from '../passwords/hash-password.js';
import { SessionsService, signInOrigin } from '../sessions/sessions.service.js';
import { toUser } from '../users/to-user.js';
import { findOpenInvitation } from './find-open-invitation.js';
import { joinVault } from './join-vault.js';

/** Operations for users who open the link of an invitation. */
@Controller()
export class AcceptInvitationController {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionsService,
  ) {}

  @OperationHandler(describeInvitation)
  async describe({ body }: Input<typeof describeInvitation>): Promise<Result<typeof describeInvitation>> {
    const { email, vault, expiresAt } = await findOpenInvitation(this.database.client, body.token);
    return { email, vault: vault.name, expires_date: expiresAt.toISOString() };
  }

  @OperationHandler(acceptInvitation)
  async accept({ body }: Input<typeof acceptInvitation>, context: Context): Promise<Result<typeof acceptInvitation>> {
    const invitation = await findOpenInvitation(this.database.client, body.token);
    const { email } = invitation;
    checkPassword(body.password, email);
    const passwordHash = await hashPassword(body.password);
    return this.database.transaction(async (tx) => {
      const user = await joinVault(tx, invitation, { name: body.name, passwordHash }, context);
      if (user === 'taken')
        throw new ValidationError({
          'body.token': `is an invitation for ${email}, which already has an account in another vault`,
        });
      const tokens = await this.sessions.begin(tx, user, signInOrigin(context));
      // Nobody grants the role before the account exists.
      return { ...tokens, user: toUser({ ...user, instanceAdmin: null }) };
    });
  }
}
