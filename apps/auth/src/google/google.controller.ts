import { Controller } from '@nestjs/common';
import { redeemTicket, signInWithGoogle } from '@millrace/contracts/auth/google';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { countSignIn } from '../metrics/count-sign-in.js';
import { hashSecret, randomSecret } from '../secrets/random-token.js';
import { SessionsService, signInOrigin } from '../sessions/sessions.service.js';
import { lockUser } from '../users/lock-user.js';
import { toUser } from '../users/to-user.js';
import { VaultCreator, planVault } from '../vaults/vault-creator.js';
import { GoogleUsersService, readProfile } from './google-users.service.js';

/** Long enough for the redirect of the browser. */
const TICKET_VALID_MS = 60_000;

@Controller()
export class GoogleController {
  constructor(
    private readonly database: Database,
    private readonly users: GoogleUsersService,
    private readonly vaults: VaultCreator,
    private readonly sessions: SessionsService,
  ) {}

  @OperationHandler(signInWithGoogle)
  async signIn({ body }: Input<typeof signInWithGoogle>, context: Context): Promise<Result<typeof signInWithGoogle>> {
    const profile = readProfile(body);
    const vault = planVault(profile.name);
    const ticket = randomSecret();
    const user = await this.database.transaction(async (tx) => {
      const admitted = await this.users.admit(tx, profile, { vault, invitation: body.invitation }, context);
      const expiresAt = new Date(Date.now() + TICKET_VALID_MS);
      await tx.signInTicket.create({ data: { ticketHash: hashSecret(ticket), userId: admitted.id, expiresAt } });
      return admitted;
    });
    if (user.id === vault.owner) await this.vaults.prepare(vault, context.requestId);
    return { ticket };
  }

  @OperationHandler(redeemTicket)
  redeem(input: Input<typeof redeemTicket>, context: Context): Promise<Result<typeof redeemTicket>> {
    return countSignIn('google', () => this.exchange(input, context));
  }

  private exchange({ body }: Input<typeof redeemTicket>, context: Context): Promise<Result<typeof redeemTicket>> {
    const valid = { ticketHash: hashSecret(body.ticket), expiresAt: { gt: new Date() } };
    return this.database.transaction(async (tx) => {
      const ticket = await tx.signInTicket.findFirst({ where: valid });
      const user = ticket && (await lockUser(tx, ticket.userId));
      const { count } = await tx.signInTicket.deleteMany({ where: valid });
      if (!user || count === 0)
        throw new ApiError('expired_token', 'The sign-in took too long or was already used. Start it again.');
      return { ...(await this.sessions.begin(tx, user, signInOrigin(context))), user: toUser(user) };
    });
  }
}
