import { ApiError } from '@millrace/contracts/kit/api-error';
import { MAX_VERSION_DATA_BYTES } from '@millrace/contracts/workflows/versions';
import type { Problem } from '@millrace/graph/check/problem';
import { expandUses, listUses, type InvalidUse, type Use, type UsedModule } from '@millrace/library/expand-uses';
import type { Transaction } from '@millrace/persistence/database';
import { refuseBrokenData } from '../../validation/refuse-broken-data.js';
import {
  findUsedModules,
  loadModuleVersions,
  measureModuleVersions,
  versionKey,
  type RequestedVersion,
} from './find-used-modules.js';

type Client = Pick<Transaction, '$queryRaw'>;

/**
 * Completes the nodes that name a library module by `uses`: from the version `module_version`, or else from the latest version of
 * the module that the vault sees.
 * @throws ApiError `payload_too_large`, before data of that size is loaded
 */
export async function fillInUses(
  client: Client,
  data: unknown,
  vault: string,
): Promise<{ data: unknown; problems: Problem[] }> {
  const uses = listUses(data);
  if (uses.length === 0) return { data, problems: [] };
  const found = await findUsedModules(client, [...new Set(uses.map((use) => use.uses))], vault);
  const toRequested = ({ uses: name, version }: Use): RequestedVersion | undefined => {
    const module = found.get(name);
    return module === undefined || 'message' in module ? undefined : { id: module.id, number: version };
  };
  const requested = uses.map(toRequested).filter((one) => one !== undefined);
  const sizes = await measureModuleVersions(client, requested);
  const bytes = uses.reduce((sum, use) => {
    const version = toRequested(use);
    return sum + use.count * ((version && sizes.get(versionKey(version))) ?? 0);
  }, 0);
  if (bytes > MAX_VERSION_DATA_BYTES) throw newTooLargeError(bytes);
  const modules = await loadModuleVersions(client, requested);
  return expandUses(data, (use) => findUsed(use, found.get(use.uses), modules));
}

/** Like `fillInUses`, for data that is to be saved. @throws ValidationError that lists unusable modules as `errors` */
export async function requireFilledInUses<T>(client: Client, data: T, vault: string): Promise<T> {
  const filled = await fillInUses(client, data, vault);
  refuseBrokenData(data, filled.problems);
  return filled.data as T;
}

function findUsed(
  { uses, version }: Use,
  found: { id: string } | InvalidUse | undefined,
  modules: ReadonlyMap<string, UsedModule>,
): UsedModule | InvalidUse {
  const module = found ?? { message: `The library has no module "${uses}".` };
  if ('message' in module) return module;
  const loaded = modules.get(versionKey({ id: module.id, number: version }));
  if (loaded !== undefined) return loaded;
  if (version === undefined) return { message: `The library module "${uses}" was just deleted.` };
  return {
    message: `The library module "${uses}" has no version ${version}.`,
    hint: 'Remove `module_version` to use its latest version.',
  };
}

const newTooLargeError = (bytes: number): ApiError =>
  new ApiError('payload_too_large', 'The workflow is too large.', {
    'body.data': `is ${bytes} bytes long with the content of its library modules; at most ${MAX_VERSION_DATA_BYTES} bytes are allowed`,
  });
