import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { email } from '@millrace/contracts/auth/credentials';
import type { signInWithGoogle } from '@millrace/contracts/auth/google';
import { ForbiddenError, ValidationError, toErrorDetails } from '@millrace/contracts/kit/api-error';
import { text } from '@millrace/contracts/kit/fields';
import type { Input } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { User } from '@millrace/persistence/generated/client';
import { AUTH_ENV, type AuthEnv } from '../env.js';
import { findOpenInvitation } from '../invitations/find-open-invitation.js';
import { joinVault } from '../invitations/join-vault.js';
import { type NewVault, VaultCreator } from '../vaults/vault-creator.js';

/** Users whom the OpenID provider has identified. */
@Injectable()
export class GoogleUsersService {
  constructor(
    private readonly vaults: VaultCreator,
    @Inject(AUTH_ENV) private readonly env: AuthEnv,
  ) {}

  /**
   * Finds the user of a profile, or creates one: in the vault of the invitation whose link they opened or, if sign-up is
   * open, in a vault of their own. An invitation to the email alone does not count: any user may invite any address, and
   * the owner of a vault sees everything in it. An account with a password is never taken over, because its owner may not
   * own the email address.
   * @param vault the vault to create if the user gets their own
   * @param invitation the token of the invitation's link
   * @throws ForbiddenError if the profile may not sign in
   */
  async admit(
    tx: Transaction,
    profile: GoogleProfile,
    { vault, invitation }: { vault: NewVault; invitation?: string | undefined },
    context: Context,
  ): Promise<User> {
    // Serializes concurrent first sign-ins, so that the second finds the user of the first.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`google ${profile.subject}`}, 0))`;
    const existing = await tx.user.findUnique({ where: { googleSubject: profile.subject } });
    if (existing?.disabledAt)
      throw new ForbiddenError('This account is disabled. Ask an owner of the vault to enable it.');
    if (existing && invitation !== undefined) throw emailTakenError();
    if (existing) return existing;
    if (await tx.user.findUnique({ where: { email: profile.email } })) throw emailTakenError();
    if (invitation !== undefined) return this.join(tx, profile, invitation, context);
    if (this.env.SIGNUP === 'closed')
      throw new ForbiddenError('Sign-up is closed on this server. Ask an owner of a vault for an invitation.');
    return this.vaults.create(tx, vault, { email: profile.email, ...accountOf(profile) }, context);
  }

  private async join(tx: Transaction, profile: GoogleProfile, token: string, context: Context): Promise<User> {
    const invitation = await findOpenInvitation(tx, token);
    if (invitation.email !== profile.email)
      throw new ForbiddenError(`This invitation is for ${invitation.email}. Sign in with that Google account.`);
    const user = await joinVault(tx, invitation, accountOf(profile), context);
    if (user === 'taken') throw emailTakenError();
    return user;
  }
}

const accountOf = ({ name, subject }: GoogleProfile) => ({
  name,
  googleSubject: subject,
  isGoogle: true,
  passwordHash: null,
});

const emailTakenError = () =>
  new ForbiddenError(
    'An account with this email address already exists. Sign in with the method that it was created with.',
  );

const profile = z.object({ subject: text(255, 1), email, name: text(255) });
type GoogleProfile = z.output<typeof profile>;

/** Parses the profile that the provider sent. @throws ValidationError if it cannot be stored */
export function readProfile(body: Input<typeof signInWithGoogle>['body']): GoogleProfile {
  const parsed = profile.safeParse(body);
  if (!parsed.success) throw new ValidationError(toErrorDetails(parsed.error, 'body'));
  return { ...parsed.data, name: parsed.data.name.trim() || parsed.data.email };
}
