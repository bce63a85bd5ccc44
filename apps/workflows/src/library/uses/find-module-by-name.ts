import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Transaction } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { findModule } from '../find-module.js';
import type { ModuleRow } from '../module-row.js';
import { findUsedModules } from './find-used-modules.js';

/** A module by its id or, as in the `uses` of a node, by its name. @throws NotFoundError, ValidationError if several have it */
export async function findModuleByName(
  client: Pick<Transaction, '$queryRaw'>,
  asked: string,
  caller: Caller,
): Promise<ModuleRow> {
  if (isId(asked)) return findModule(client, asked, caller);
  const found = (await findUsedModules(client, [asked], caller.vault)).get(asked);
  if (found === undefined || 'message' in found) {
    if (!found?.isKnown) throw new NotFoundError('Module');
    throw new ValidationError({ 'params.id': [found.message, found.hint].join(' ') });
  }
  return findModule(client, found.id, caller);
}
