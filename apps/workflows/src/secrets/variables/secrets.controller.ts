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
import { clientFields } from '@millrace/messaging/rpc/client-fields';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { Prisma, SecretVariable } from '@millrace/persistence/generated/client';
import { isId, newId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import { canEdit, findSpace } from '../../spaces/find-space.js';
import { DataKeys } from '../keys/data-keys.js';
import { encryptValue, type VariableIdentity } from './encrypt-value.js';
import { requireScopeAccess, readScope, toSecret } from './secret-scope.js';

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
    const scopes =
      space === undefined
        ? editableBy(context)
        : [{ spaceId: (await findSpace(client, space, context, 'space.edit')).id }];
    const rows = await client.secretVariable.findMany({
      where: { ...inVault(context.caller), OR: scopes, ...(scopeType !== undefined && { AND: { scopeType } }) },
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
      const variable = { id: newId(), vaultId: vault, ...(await readScope(tx, body, context)), name: body.name };
      const value = encryptValue(await this.keys.acquire(tx, vault), body.value, variable);
      await refuseTooMany(tx, variable);
      const created = await tx.secretVariable.create({ data: { ...variable, value, author: user } });
      publishChange(tx, 'created', created, context);
      return toSecret(created);
    });
  }

  @OperationHandler(updateSecretVariable)
  async update(
    { params, body }: Input<typeof updateSecretVariable>,
    context: Context,
  ): Promise<Result<typeof updateSecretVariable>> {
    if (body.name !== undefined) refuseReserved(body.name);
    return this.write(async (tx) => {
      await findVariable(tx, params.id, context);
      const key = await this.keys.acquire(tx, context.caller.vault);
      // The encryption covers the name, so two concurrent changes must not mix.
      await tx.$executeRaw`SELECT 1 FROM workflows.secret_variable WHERE id = ${params.id}::uuid FOR UPDATE`;
      const current = await findVariable(tx, params.id, context);
      const name = body.name ?? current.name;
      const data = { name, value: encryptValue(key, body.value, { ...current, name }) };
      const changed = await tx.secretVariable.update({ where: { id: current.id }, data });
      publishChange(tx, 'changed', changed, context);
      return toSecret(changed);
    });
  }

  @OperationHandler(deleteSecretVariable)
  async delete({ params }: Input<typeof deleteSecretVariable>, context: Context): Promise<null> {
    return this.database.transaction(async (tx) => {
      const variable = await findVariable(tx, params.id, context);
      const { count } = await tx.secretVariable.deleteMany({ where: { id: variable.id } });
      if (count === 0) throw new NotFoundError(`Secret variable ${params.id}`);
      publishChange(tx, 'deleted', variable, context);
      return null;
    });
  }

  private async write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      return await this.database.transaction(work);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION)) throw error;
      throw new ValidationError({ 'body.name': 'is the name of another variable in this scope' });
    }
  }
}

function refuseReserved(name: string): void {
  if (!(BUILT_IN_VARIABLES as readonly string[]).includes(name)) return;
  throw new ValidationError({ 'body.name': `must not be the name of a built-in variable (got ${name})` });
}

/** Concurrent requests may exceed the limit by their number. */
async function refuseTooMany(
  tx: Transaction,
  { vaultId, scopeType, spaceId, userId }: VariableIdentity,
): Promise<void> {
  const count = await tx.secretVariable.count({ where: { vaultId, scopeType, spaceId, userId } });
  if (count < MAX_VARIABLES) return;
  throw new ValidationError({
    'body.scope_type': `must be a scope with fewer than ${MAX_VARIABLES} variables (it has ${count}); delete one first`,
  });
}

/**
 * Variables that the caller can use in a workflow: their own, the vault's, and the variables of spaces that they may
 * edit.
 */
function editableBy({ caller }: Context): Prisma.SecretVariableWhereInput[] {
  const { spaces, user } = caller;
  const inEditableSpaces =
    spaces === 'all'
      ? { scopeType: 'space' }
      : { spaceId: { in: Object.keys(spaces).filter((id) => canEdit(caller, id)) } };
  return [{ scopeType: 'vault' }, inEditableSpaces, { scopeType: 'user', userId: user }];
}

async function findVariable(tx: Transaction, id: string, context: Context): Promise<SecretVariable> {
  const where = { id, ...inVault(context.caller) };
  const found = isId(id) ? await tx.secretVariable.findFirst({ where }) : null;
  if (!found) throw new NotFoundError(`Secret variable ${id}`);
  requireScopeAccess(found, `Secret variable ${id}`, context);
  return found;
}

function publishChange(
  tx: Transaction,
  change: 'created' | 'changed' | 'deleted',
  { id, name, scopeType, spaceId }: SecretVariable,
  { caller, envelope }: Context,
): void {
  tx.emit(secretChanged, {
    ...{ change, vault: caller.vault, user: caller.user, variable: id, name },
    scope: scopeType as 'vault' | 'space' | 'user',
    ...(spaceId !== null && { space: spaceId }),
    ...clientFields(envelope),
  });
}
