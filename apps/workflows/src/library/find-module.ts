import { ForbiddenError, NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { hasVaultRole } from '@millrace/contracts/kit/permissions';
import type { Transaction } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { FROM_MODULES, MODULE_FIELDS, type ModuleRow, visibleTo } from './module-row.js';
import { findUsedModules, MAX_SHOWN_NAME_LENGTH } from './uses/find-used-modules.js';

type Client = Pick<Transaction, '$queryRaw'>;

/** A module that is built in or belongs to the caller's vault. @throws NotFoundError */
export async function findModule(client: Client, id: string, { vault }: Caller): Promise<ModuleRow> {
  const [found] = isId(id)
    ? await client.$queryRaw<ModuleRow[]>`
        SELECT ${MODULE_FIELDS}, v.definition FROM ${FROM_MODULES} WHERE m.id = ${id}::uuid AND ${visibleTo(vault)}`
    : [];
  if (!found) throw new NotFoundError(`Module ${id}`);
  return found;
}

/**
 * Finds and locks a module that the caller may change: its author may, and space administrators of the vault. Reads it
 * after the lock, because a statement that waits for the lock would join the new row with the old versions.
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
  if (vaultId === null)
    throw new ForbiddenError(`Module ${id} is built in and cannot be changed. Create a module of your own instead.`);
  if (module.author !== caller.user && !hasVaultRole(caller.vaultRole, 'space_admin')) throw new ForbiddenError();
  return { ...module, vaultId };
}

/**
 * Finds a module by its id or, as in a node's `uses`, by its name. @throws NotFoundError, ValidationError if the name
 * is ambiguous
 */
export async function findModuleByName(
  client: Pick<Transaction, '$queryRaw'>,
  idOrName: string,
  caller: Caller,
): Promise<ModuleRow> {
  if (isId(idOrName)) return findModule(client, idOrName, caller);
  const found = (await findUsedModules(client, [idOrName], caller.vault)).get(idOrName);
  if (found === undefined || 'message' in found) {
    if (!found?.isKnown) throw new NotFoundError(`Module "${idOrName.slice(0, MAX_SHOWN_NAME_LENGTH)}"`);
    throw new ValidationError({ 'params.id': [found.message, found.hint].join(' ') });
  }
  return findModule(client, found.id, caller);
}
