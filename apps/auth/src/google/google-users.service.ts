import { Inject, Injectable } from '@nestjs/common';
import { ForbiddenError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { User } from '@millrace/persistence/generated/client';
import { AUTH_ENV, type AuthEnv } from '../env.js';
import { findOpenInvitation } from '../invitations/find-open-invitation.js';
import { joinVault } from '../invitations/join-vault.js';
import { FoundVault, type NewVault } from '../vaults/vault-creator.js';
import type { GoogleProfile } from './google-profile.js';

/** Users whom the OpenID provider vouches for. */
@Injectable()
export class GoogleUsers {
  constructor(
    private readonly vaults: FoundVault,
    @Inject(AUTH_ENV) private readonly env: AuthEnv,
  ) {}

  /**
   * The user of a profile, made where there is none yet: in the vault of the invitation that they hold or, where sign-up
   * is open, in one of their own. That somebody invited an email is not enough: anybody may invite anybody, and whoever
   * owns the vault sees all that is in it. An account with a password is never taken over, for nobody has shown that its
   * email is theirs.
   * @param vault what is founded where one is
   * @param invitation the secret of its link
   * @throws ForbiddenError where the profile may not come in
   */
  async admit(
    tx: Transaction,
    profile: GoogleProfile,
    { vault, invitation }: { vault: NewVault; invitation?: string | undefined },
    context: Context,
  ): Promise<User> {
    // Of two first sign-ins at once the second finds the user whom the first made.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`google ${profile.subject}`}, 0))`;
    const known = await tx.user.findUnique({ where: { googleSubject: profile.subject } });
    if (known?.disabledAt) throw new ForbiddenError('The account is disabled');
    if (known && invitation !== undefined) throw emailTaken();
    if (known) return known;
    if (await tx.user.findUnique({ where: { email: profile.email } })) throw emailTaken();
    if (invitation !== undefined) return this.join(tx, profile, invitation, context);
    if (this.env.SIGNUP === 'closed') throw new ForbiddenError('Sign-up is closed; ask for an invitation');
    return this.vaults.found(tx, vault, { email: profile.email, ...accountOf(profile) }, context);
  }

  private async join(tx: Transaction, profile: GoogleProfile, token: string, context: Context): Promise<User> {
    const invitation = await findOpenInvitation(tx, token);
    if (invitation.email !== profile.email) throw new ForbiddenError(`The invitation is to ${invitation.email}`);
    const user = await joinVault(tx, invitation, accountOf(profile), context);
    if (user === 'taken') throw emailTaken();
    return user;
  }
}

const accountOf = ({ name, subject }: GoogleProfile) => ({
  name,
  googleSubject: subject,
  isGoogle: true,
  passwordHash: null,
});

const emailTaken = () => new ForbiddenError('There is an account with this email already; sign in the way it was made');
