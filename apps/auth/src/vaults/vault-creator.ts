import { Inject, Injectable, Logger } from '@nestjs/common';
import { vaultCreated } from '@millrace/contracts/auth/vaults';
import { planHasRoles } from '@millrace/contracts/billing/plans';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Request } from '@millrace/contracts/kit/operation';
import { prepareVault } from '@millrace/contracts/workflows/vaults';
import type { Context } from '@millrace/messaging/rpc/context';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { Transaction } from '@millrace/persistence/database';
import type { Prisma, User } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { byUser, noteAudit } from '../audit/write-audit-entry.js';
import { AUTH_ENV, type AuthEnv } from '../env.js';

const PREPARE_MS = 3_000;

export type Founder = Pick<
  Prisma.UserCreateManyInput,
  'email' | 'name' | 'passwordHash' | 'isGoogle' | 'googleSubject'
>;
export type NewVault = Request<typeof prepareVault>['body'];

/** What the vault of somebody new will be; its ids are known before the transaction, so that it may be tried again. */
export const planVault = (name: string): NewVault => ({ vault: newId(), owner: newId(), name: `${name}'s vault` });

/** Makes a user with a vault of their own, however they sign in. */
@Injectable()
export class FoundVault {
  private readonly logger = new Logger(FoundVault.name);

  constructor(
    private readonly rpc: RpcClient,
    @Inject(AUTH_ENV) private readonly env: AuthEnv,
  ) {}

  /** @throws ValidationError where the email is another user's; the transaction then leaves nothing */
  async found(tx: Transaction, vault: NewVault, founder: Founder, context: Context): Promise<User> {
    const plan = this.env.DEFAULT_PLAN;
    await tx.vault.create({ data: { id: vault.vault, name: vault.name, plan, planRoles: planHasRoles(plan) } });
    const [user] = await tx.user.createManyAndReturn({
      data: [{ id: vault.owner, vaultId: vault.vault, vaultRole: 'owner', ...founder }],
      skipDuplicates: true,
    });
    if (!user) throw new ValidationError({ 'body.email': 'is taken by another account' });
    tx.emit(vaultCreated, { ...vault, plan });
    await noteAudit(tx, {
      ...byUser(user, context),
      action: 'user.signed_up',
      target: { type: 'user', id: user.id, name: user.email },
    });
    return user;
  }

  /** After the commit, so that the first space is there when the user looks; the event sees to it where this does not. */
  async prepare(vault: NewVault, requestId: string): Promise<void> {
    try {
      await this.rpc.call(prepareVault, vault, { caller: null, requestId }, { timeoutMs: PREPARE_MS });
    } catch (error) {
      this.logger.warn({ message: 'A new vault is prepared later', vault: vault.vault, error });
    }
  }
}
