import { Controller, Inject, Logger } from '@nestjs/common';
import { signup } from '@millrace/contracts/auth/sessions';
import { vaultCreated } from '@millrace/contracts/auth/vaults';
import { Forbidden, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Request, Result } from '@millrace/contracts/kit/operation';
import { prepareVault } from '@millrace/contracts/workflows/vaults';
import { Asker } from '@millrace/messaging/asker';
import type { Context } from '@millrace/messaging/context';
import { Handles } from '@millrace/messaging/handles';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { User } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { checkPassword } from '../passwords/check-password.js';
import { AUTH_ENV, type AuthEnv } from '../env.js';
import { hashPassword } from '../passwords/hash-password.js';
import { toUser } from '../to-user.js';
import { SessionsService, signInFrom } from './sessions.service.js';

const PREPARE_MS = 3_000;

interface NewUser {
  email: string;
  name: string;
  passwordHash: string;
}

@Controller()
export class SignupController {
  private readonly logger = new Logger(SignupController.name);

  constructor(
    private readonly database: Database,
    private readonly sessions: SessionsService,
    private readonly asker: Asker,
    @Inject(AUTH_ENV) private readonly env: AuthEnv,
  ) {}

  @Handles(signup)
  async signup({ body }: Input<typeof signup>, context: Context): Promise<Result<typeof signup>> {
    if (this.env.SIGNUP === 'closed') throw new Forbidden('Sign-up is closed; ask for an invitation');
    checkPassword(body.password, body.email);
    const passwordHash = await hashPassword(body.password);
    const vault = { vault: newId(), owner: newId(), name: `${body.name}'s vault` };
    const answer = await this.database.transaction(async (tx) => {
      await tx.vault.create({ data: { id: vault.vault, name: vault.name } });
      const user = await addOwner(tx, vault, { email: body.email, name: body.name, passwordHash });
      tx.emit(vaultCreated, vault);
      return { ...(await this.sessions.begin(tx, user, signInFrom(context))), user: toUser(user) };
    });
    await this.prepare(vault, context.requestId);
    return answer;
  }

  /** So that the first space is there when the user looks; the event sees to it where this does not. */
  private async prepare(vault: Request<typeof prepareVault>['body'], requestId: string): Promise<void> {
    try {
      await this.asker.ask(prepareVault, vault, { caller: null, requestId }, { timeoutMs: PREPARE_MS });
    } catch (error) {
      this.logger.warn({ message: 'A new vault is prepared later', vault: vault.vault, error });
    }
  }
}

/** @throws ValidationError where the email is another user's; the transaction then leaves nothing */
async function addOwner(tx: Transaction, ids: { vault: string; owner: string }, user: NewUser): Promise<User> {
  const [added] = await tx.user.createManyAndReturn({
    data: [{ id: ids.owner, vaultId: ids.vault, vaultRole: 'owner', ...user }],
    skipDuplicates: true,
  });
  if (!added) throw new ValidationError({ 'body.email': 'is taken by another account' });
  return added;
}
