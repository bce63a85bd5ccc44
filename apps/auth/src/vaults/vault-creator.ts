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
import { actorFromUser, writeAuditEntry } from '../audit/write-audit-entry.js';
import { AUTH_ENV, type AuthEnv } from '../env.js';

const PREPARE_TIMEOUT_MS = 3_000;

export type Founder = Pick<
  Prisma.UserCreateManyInput,
  'email' | 'name' | 'passwordHash' | 'isGoogle' | 'googleSubject'
>;
export type NewVault = Request<typeof prepareVault>['body'];

/** Plans the vault of a new user. Its ids are chosen before the transaction, so that the transaction can be retried. */
export const planVault = (name: string): NewVault => ({ vault: newId(), owner: newId(), name: `${name}'s vault` });

/** Creates a user with a vault of their own, for every sign-in method. */
@Injectable()
export class VaultCreator {
  private readonly logger = new Logger(VaultCreator.name);

  constructor(
    private readonly rpc: RpcClient,
    @Inject(AUTH_ENV) private readonly env: AuthEnv,
  ) {}

  /** @throws ValidationError if the email belongs to another user; the transaction is then rolled back */
  async create(tx: Transaction, vault: NewVault, founder: Founder, context: Context): Promise<User> {
    const plan = this.env.DEFAULT_PLAN;
    await tx.vault.create({ data: { id: vault.vault, name: vault.name, plan, planRoles: planHasRoles(plan) } });
    const [user] = await tx.user.createManyAndReturn({
      data: [{ id: vault.owner, vaultId: vault.vault, vaultRole: 'owner', ...founder }],
      skipDuplicates: true,
    });
    if (!user) throw new ValidationError({ 'body.email': 'is the email of another account' });
    tx.emit(vaultCreated, { ...vault, plan });
    await writeAuditEntry(tx, {
      ...actorFromUser(user, context),
      action: 'user.signed_up',
      target: { type: 'user', id: user.id, name: user.email },
    });
    return user;
  }

  /** Creates the first space after the commit, before the user sees the vault. If this fails, the event causes it later. */
  async prepare(vault: NewVault, requestId: string): Promise<void> {
    try {
      await this.rpc.call(prepareVault, vault, { caller: null, requestId }, { timeoutMs: PREPARE_TIMEOUT_MS });
    } catch (error) {
      this.logger.warn({
        message: 'Preparing a new vault failed; its event will prepare it',
        vault: vault.vault,
        error,
      });
    }
  }
}
