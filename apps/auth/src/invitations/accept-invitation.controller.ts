import { Controller } from '@nestjs/common';
import { acceptInvitation, describeInvitation } from '@millrace/contracts/auth/invitations';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/context';
import { Handles } from '@millrace/messaging/handles';
import { Database } from '@millrace/persistence/database';
import { checkPassword } from '../passwords/check-password.js';
import { hashPassword } from '../passwords/hash-password.js';
import { hashSecret } from '../hash-secret.js';
import { SessionsService, signInFrom } from '../sign-in/sessions.service.js';
import { toUser } from '../to-user.js';
import { isOpen } from './to-invitation.js';
import { joinVault } from './join-vault.js';

/** For whoever holds the link of an invitation. */
@Controller()
export class AcceptInvitationController {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionsService,
  ) {}

  @Handles(describeInvitation)
  async describe({ body }: Input<typeof describeInvitation>): Promise<Result<typeof describeInvitation>> {
    const { email, vault, expiresAt } = await this.find(body.token);
    return { email, vault: vault.name, expires_date: expiresAt.toISOString() };
  }

  @Handles(acceptInvitation)
  async accept({ body }: Input<typeof acceptInvitation>, context: Context): Promise<Result<typeof acceptInvitation>> {
    const invitation = await this.find(body.token);
    const { email } = invitation;
    checkPassword(body.password, email);
    const passwordHash = await hashPassword(body.password);
    return this.database.transaction(async (tx) => {
      const user = await joinVault(tx, invitation, { name: body.name, passwordHash }, context);
      if (user === 'closed') throw closed();
      if (user === 'taken')
        throw new ValidationError({ 'body.token': `${email} has an account already, in another vault` });
      return { ...(await this.sessions.begin(tx, user, signInFrom(context))), user: toUser(user) };
    });
  }

  private async find(token: string) {
    const where = { tokenHash: hashSecret(token), ...isOpen() };
    const found = await this.database.client.invitation.findFirst({ where, include: { vault: true } });
    if (!found) throw closed();
    return found;
  }
}

const closed = () =>
  new ApiError('expired_token', 'The invitation was used, taken back or is over; ask for another one');
