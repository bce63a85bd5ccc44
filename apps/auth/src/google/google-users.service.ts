import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { email } from '@millrace/contracts/auth/credentials';
import { googleError, type signInWithGoogle } from '@millrace/contracts/auth/google';
import { ApiError } from '@millrace/contracts/kit/api-error';
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
   * @throws ApiError `forbidden` if the profile may not sign in, `expired_token` if the invitation is no longer open
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
    if (existing?.disabledAt) throw googleError('forbidden', 'account_disabled');
    if (existing && invitation !== undefined) throw emailTakenError();
    if (existing) return existing;
    if (await tx.user.findUnique({ where: { email: profile.email } })) throw emailTakenError();
    if (invitation !== undefined) return this.join(tx, profile, invitation, context).catch(explainClosedInvitation);
    if (this.env.SIGNUP === 'closed') throw googleError('forbidden', 'signup_closed');
    return this.vaults.create(tx, vault, { email: profile.email, ...accountOf(profile) }, context);
  }

  private async join(tx: Transaction, profile: GoogleProfile, token: string, context: Context): Promise<User> {
    const invitation = await findOpenInvitation(tx, token);
    if (invitation.email !== profile.email) throw googleError('forbidden', 'invitation_for_other_email');
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

const emailTakenError = () => googleError('forbidden', 'account_exists');

function explainClosedInvitation(error: unknown): never {
  throw error instanceof ApiError && error.code === 'expired_token'
    ? googleError('expired_token', 'invitation_closed')
    : error;
}

const profile = z.object({ subject: text(255, 1), email, name: text(255) });
type GoogleProfile = z.output<typeof profile>;

/** Parses the profile that the provider sent. @throws ApiError `validation_error` if it cannot be stored */
export function readProfile(body: Input<typeof signInWithGoogle>['body']): GoogleProfile {
  const parsed = profile.safeParse(body);
  if (!parsed.success) throw googleError('validation_error', 'unusable_profile');
  return { ...parsed.data, name: parsed.data.name.trim() || parsed.data.email };
}
