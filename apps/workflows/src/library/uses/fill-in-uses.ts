import { ApiError } from '@millrace/contracts/kit/api-error';
import { MAX_VERSION_DATA_BYTES } from '@millrace/contracts/workflows/versions';
import type { Problem } from '@millrace/graph/check/problem';
import { countUses, expandUses, type InvalidUse, type UsedModule } from '@millrace/library/expand-uses';
import type { Transaction } from '@millrace/persistence/database';
import { refuseBrokenData } from '../../validation/refuse-broken-data.js';
import { findUsedModules, loadUsedModules } from './find-used-modules.js';

type Client = Pick<Transaction, '$queryRaw'>;

/**
 * Completes the nodes that name a library module by `uses`, from the latest version of the module that the vault sees.
 * @throws ApiError `payload_too_large`, before data of that size is loaded
 */
export async function fillInUses(
  client: Client,
  data: unknown,
  vault: string,
): Promise<{ data: unknown; problems: Problem[] }> {
  const counts = countUses(data);
  if (counts.size === 0) return { data, problems: [] };
  const found = await findUsedModules(client, [...counts.keys()], vault);
  let bytes = 0;
  const ids = new Map<string, string>();
  for (const [uses, module] of found) {
    if ('message' in module) continue;
    bytes += module.bytes * (counts.get(uses) ?? 0);
    ids.set(uses, module.id);
  }
  if (bytes > MAX_VERSION_DATA_BYTES) throw newTooLargeError(bytes);
  const modules = await loadUsedModules(client, [...new Set(ids.values())]);
  return expandUses(data, (uses) => findUsed(uses, found, modules));
}

/** Like `fillInUses`, for data that is to be saved. @throws ValidationError that lists unusable modules as `errors` */
export async function requireFilledInUses<T>(client: Client, data: T, vault: string): Promise<T> {
  const filled = await fillInUses(client, data, vault);
  refuseBrokenData(data, filled.problems);
  return filled.data as T;
}

function findUsed(
  uses: string,
  found: ReadonlyMap<string, { id: string } | InvalidUse>,
  modules: ReadonlyMap<string, UsedModule>,
): UsedModule | InvalidUse {
  const module = found.get(uses) ?? { message: `The library has no module "${uses}".` };
  if ('message' in module) return module;
  return modules.get(module.id) ?? { message: `The library module "${uses}" was just deleted.` };
}

const newTooLargeError = (bytes: number): ApiError =>
  new ApiError('payload_too_large', 'The workflow is too large.', {
    'body.data': `is ${bytes} bytes long with the content of its library modules; at most ${MAX_VERSION_DATA_BYTES} bytes are allowed`,
  });
