import { ForbiddenError, NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { hasVaultRole } from '@millrace/contracts/kit/permissions';
import type { Transaction } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { FROM_MODULES, MODULE_FIELDS, type ModuleRow, visibleTo } from './module-row.js';

type Client = Pick<Transaction, '$queryRaw'>;

/** A module that is built in or of the caller's vault. @throws NotFoundError */
export async function findModule(client: Client, id: string, { vault }: Caller): Promise<ModuleRow> {
  const [found] = isId(id)
    ? await client.$queryRaw<ModuleRow[]>`
        SELECT ${MODULE_FIELDS}, v.definition FROM ${FROM_MODULES} WHERE m.id = ${id}::uuid AND ${visibleTo(vault)}`
    : [];
  if (!found) throw new NotFoundError('Module');
  return found;
}

/**
 * A module that the caller may change, locked: its author may, and those who look after the spaces of the vault. It is
 * read after it was locked: a statement that had to wait would join the new row with the versions of before.
 * @throws NotFoundError, ForbiddenError
 */
export async function findModuleForUpdate(
  tx: Client,
  id: string,
  caller: Caller,
): Promise<ModuleRow & { vaultId: string }> {
  if (isId(id)) {
    await tx.$queryRaw`
      SELECT FROM workflows.library_module WHERE id = ${id}::uuid AND vault_id = ${caller.vault}::uuid FOR NO KEY UPDATE`;
  }
  const module = await findModule(tx, id, caller);
  const { vaultId } = module;
  if (vaultId === null) throw new ForbiddenError('Built-in modules cannot be changed');
  if (module.author !== caller.user && !hasVaultRole(caller.vaultRole, 'space_admin')) throw new ForbiddenError();
  return { ...module, vaultId };
}
