import { Inject, Injectable } from '@nestjs/common';
import { Forbidden } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/context';
import type { Transaction } from '@millrace/persistence/database';
import type { User } from '@millrace/persistence/generated/client';
import { noteAudit } from '../audit/note-audit.js';
import { AUTH_ENV, type AuthEnv } from '../env.js';
import { joinVault } from '../invitations/join-vault.js';
import { isOpen } from '../invitations/to-invitation.js';
import { FoundVault, type NewVault } from '../sign-in/found-vault.js';
import type { GoogleProfile } from './google-profile.js';

/** Users whom the OpenID provider vouches for. */
@Injectable()
export class GoogleUsers {
  constructor(
    private readonly vaults: FoundVault,
    @Inject(AUTH_ENV) private readonly env: AuthEnv,
  ) {}

  /**
   * The user of a profile, made where there is none yet: in the vault of an open invitation to that email or, where
   * sign-up is open, in one of their own. An account with a password is never taken over, for nobody has shown that its
   * email is theirs.
   * @param vault what is founded where one is
   * @throws Forbidden where the profile may not come in
   */
  async admit(tx: Transaction, profile: GoogleProfile, vault: NewVault, context: Context): Promise<User> {
    // Of two first sign-ins at once the second finds the user whom the first made.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`google ${profile.subject}`}, 0))`;
    const known = await tx.user.findUnique({ where: { googleSubject: profile.subject } });
    if (known?.disabledAt) throw new Forbidden('The account is disabled');
    if (known) return known;
    if (await tx.user.findUnique({ where: { email: profile.email } })) throw emailTaken();
    const invited = await this.joinByInvitation(tx, profile, context);
    if (invited) return invited;
    if (this.env.SIGNUP === 'closed') throw new Forbidden('Sign-up is closed; ask for an invitation');
    return this.vaults.found(tx, vault, { email: profile.email, ...accountOf(profile) }, context);
  }

  private async joinByInvitation(tx: Transaction, profile: GoogleProfile, context: Context): Promise<User | null> {
    const invitation = await tx.invitation.findFirst({
      where: { email: profile.email, ...isOpen() },
      orderBy: { createdAt: 'desc' },
    });
    if (!invitation) return null;
    const user = await joinVault(tx, invitation.id, accountOf(profile));
    if (user === 'closed') return null;
    if (user === 'taken') throw emailTaken();
    await noteAudit(tx, {
      vault: user.vaultId,
      actor: user.id,
      action: 'user.joined',
      target: { type: 'invitation', id: invitation.id, name: invitation.email },
      ...(context.envelope.client && { address: context.envelope.client.address }),
    });
    return user;
  }
}

const accountOf = ({ name, subject }: GoogleProfile) => ({
  name,
  googleSubject: subject,
  isGoogle: true,
  passwordHash: null,
});

const emailTaken = () => new Forbidden('There is an account with this email already; sign in the way it was made');
