import { Controller } from '@nestjs/common';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import {
  BUILT_IN_VARIABLES,
  createSecretVariable,
  deleteSecretVariable,
  listSecretVariables,
  MAX_VARIABLES,
  secretChanged,
  updateSecretVariable,
} from '@millrace/contracts/workflows/secrets';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { Prisma, SecretVariable } from '@millrace/persistence/generated/client';
import { isId, newId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import { canEdit } from '../../spaces/can-edit.js';
import { findSpace } from '../../spaces/find-space.js';
import { DataKeys } from '../keys/data-keys.js';
import { encryptValue, type VariableIdentity } from './encrypt-value.js';
import { requireScopeAccess, readScope } from './secret-scope.js';
import { toSecret } from './to-secret.js';

const UNIQUE_VIOLATION = 'P2002';

@Controller()
export class SecretsController {
  constructor(
    private readonly database: Database,
    private readonly keys: DataKeys,
  ) {}

  @OperationHandler(listSecretVariables)
  async list(
    { query }: Input<typeof listSecretVariables>,
    context: Context,
  ): Promise<Result<typeof listSecretVariables>> {
    const { client } = this.database;
    const { space, scope_type: scopeType } = query;
    const places =
      space === undefined
        ? usableBy(context)
        : [{ spaceId: (await findSpace(client, space, context, 'space.edit')).id }];
    const rows = await client.secretVariable.findMany({
      where: { ...inVault(context.caller), OR: places, ...(scopeType !== undefined && { AND: { scopeType } }) },
      omit: { value: true },
      orderBy: [{ name: 'asc' }, { scopeType: 'asc' }, { id: 'asc' }],
    });
    return { success: true, results: rows.map(toSecret) };
  }

  @OperationHandler(createSecretVariable)
  async create(
    { body }: Input<typeof createSecretVariable>,
    context: Context,
  ): Promise<Result<typeof createSecretVariable>> {
    refuseReserved(body.name);
    return this.write(async (tx) => {
      const { vault, user } = context.caller;
      const place = { id: newId(), vaultId: vault, ...(await readScope(tx, body, context)), name: body.name };
      const value = encryptValue(await this.keys.acquire(tx, vault), body.value, place);
      await refuseTooMany(tx, place);
      const made = await tx.secretVariable.create({ data: { ...place, value, author: user } });
      tell(tx, 'created', made, context);
      return toSecret(made);
    });
  }

  @OperationHandler(updateSecretVariable)
  async update(
    { params, body }: Input<typeof updateSecretVariable>,
    context: Context,
  ): Promise<Result<typeof updateSecretVariable>> {
    if (body.name !== undefined) refuseReserved(body.name);
    return this.write(async (tx) => {
      await find(tx, params.id, context);
      const key = await this.keys.acquire(tx, context.caller.vault);
      // The name is part of what is encrypted: two changes at once must not mix.
      await tx.$executeRaw`SELECT 1 FROM workflows.secret_variable WHERE id = ${params.id}::uuid FOR UPDATE`;
      const former = await find(tx, params.id, context);
      const name = body.name ?? former.name;
      const data = { name, value: encryptValue(key, body.value, { ...former, name }) };
      const changed = await tx.secretVariable.update({ where: { id: former.id }, data });
      tell(tx, 'changed', changed, context);
      return toSecret(changed);
    });
  }

  @OperationHandler(deleteSecretVariable)
  async delete({ params }: Input<typeof deleteSecretVariable>, context: Context): Promise<null> {
    return this.database.transaction(async (tx) => {
      const former = await find(tx, params.id, context);
      const { count } = await tx.secretVariable.deleteMany({ where: { id: former.id } });
      if (count === 0) throw new NotFoundError('Secret variable');
      tell(tx, 'deleted', former, context);
      return null;
    });
  }

  private async write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      return await this.database.transaction(work);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION)) throw error;
      throw new ValidationError({ 'body.name': 'there is a variable of this name in this scope already' });
    }
  }
}

function refuseReserved(name: string): void {
  if (!(BUILT_IN_VARIABLES as readonly string[]).includes(name)) return;
  throw new ValidationError({ 'body.name': 'is the name of a variable that every run has' });
}

/** Several at the same moment may go beyond it by as many. */
async function refuseTooMany(
  tx: Transaction,
  { vaultId, scopeType, spaceId, userId }: VariableIdentity,
): Promise<void> {
  const count = await tx.secretVariable.count({ where: { vaultId, scopeType, spaceId, userId } });
  if (count < MAX_VARIABLES) return;
  throw new ValidationError({ 'body.scope_type': `there may be ${MAX_VARIABLES} variables in one scope` });
}

/** What the caller can name in a workflow: the vault's, those of spaces that they edit, their own. */
function usableBy({ caller }: Context): Prisma.SecretVariableWhereInput[] {
  const { spaces, user } = caller;
  const edited =
    spaces === 'all'
      ? { scopeType: 'space' }
      : { spaceId: { in: Object.keys(spaces).filter((id) => canEdit(caller, id)) } };
  return [{ scopeType: 'vault' }, edited, { scopeType: 'user', userId: user }];
}

async function find(tx: Transaction, id: string, context: Context): Promise<SecretVariable> {
  const where = { id, ...inVault(context.caller) };
  const found = isId(id) ? await tx.secretVariable.findFirst({ where }) : null;
  if (!found) throw new NotFoundError('Secret variable');
  requireScopeAccess(found, context);
  return found;
}

function tell(
  tx: Transaction,
  change: 'created' | 'changed' | 'deleted',
  { id, name, scopeType, spaceId }: SecretVariable,
  { caller, envelope }: Context,
): void {
  tx.emit(secretChanged, {
    ...{ change, vault: caller.vault, user: caller.user, variable: id, name },
    scope: scopeType as 'vault' | 'space' | 'user',
    ...(spaceId !== null && { space: spaceId }),
    ...(envelope.client && { address: envelope.client.address }),
  });
}
