import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Transaction } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { findModule } from '../find-module.js';
import type { ModuleRow } from '../module-row.js';
import { findUsedModules, MAX_SHOWN_NAME_LENGTH } from './find-used-modules.js';

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
