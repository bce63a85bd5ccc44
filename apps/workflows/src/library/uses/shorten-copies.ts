import { MAX_VERSION_DATA_BYTES } from '@millrace/contracts/workflows/versions';
import { listCopies, shortenUses, type CopiedNode } from '@millrace/library/shorten-uses';
import type { Transaction } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { findUsedModules, loadModuleVersions, measureModuleVersions, versionKey } from './find-used-modules.js';

/**
 * Writes the nodes that were copied from library modules as `uses` and what differs from the module. A node stays as it is if
 * the vault does not see its module under that name, because it could not be completed again. All stay if the modules are too
 * large together.
 */
export async function shortenCopies(
  client: Pick<Transaction, '$queryRaw'>,
  data: Record<string, unknown>,
  vault: string,
): Promise<Record<string, unknown>> {
  const copies = listCopies(data).filter(({ id }) => isId(id));
  if (copies.length === 0) return data;
  const found = await findUsedModules(client, [...new Set(copies.map(({ uses }) => uses))], vault);
  const isFound = ({ uses, id }: CopiedNode): boolean => {
    const module = found.get(uses);
    return module !== undefined && !('message' in module) && module.id === id;
  };
  const requested = copies.filter(isFound).map(({ id, version: number }) => ({ id, number }));
  const sizes = await measureModuleVersions(client, requested);
  if ([...sizes.values()].reduce((sum, bytes) => sum + bytes, 0) > MAX_VERSION_DATA_BYTES) return data;
  const modules = await loadModuleVersions(client, requested);
  return shortenUses(data, (copied) =>
    isFound(copied) ? modules.get(versionKey({ id: copied.id, number: copied.version })) : undefined,
  );
}
