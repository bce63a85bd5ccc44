import type { Problem } from '@millrace/graph/check/problem';
import { isRecord } from '@millrace/graph/data/is-record';
import type { ModuleVersion } from '@millrace/graph/data/workflow-data';
import { listModules } from '@millrace/graph/parse/read-modules';
import type { Transaction } from '@millrace/persistence/database';
import {
  MAX_MODULES,
  resolveModules,
  type Container,
  type ResolvedModules,
  type ResolvedModule,
} from './resolve-modules.js';

/**
 * The size of all modules of a version together, as JSON. They travel to the engine in one message with the version.
 */
const MAX_MODULE_BYTES = 20 * 1024 * 1024;

type Client = Pick<Transaction, '$queryRaw' | 'version'>;

export interface LoadedModules {
  modules: Record<string, Required<ModuleVersion> & Pick<ResolvedModule, 'isPublished'>>;
  /** Set if there are more modules than can be loaded; `modules` is then empty. */
  problem: Problem | null;
}

export interface ModuleUser extends Pick<Container, 'space' | 'pin'> {
  data: unknown;
}

/**
 * Loads the modules that a version's WORKFLOW nodes use, at all levels (`resolveModules`). Modules that do not exist in
 * the vault are left out. It loads one level more than the nesting limit, so that validation can report the excess.
 * Frozen modules get keys of their own, by which the returned data names them.
 * @param mayUse whether the data itself may name a module of that space; modules inside modules are their authors'
 *   responsibility
 */
export async function loadModules(
  client: Client,
  vault: string,
  { data, space, pin }: ModuleUser,
  mayUse: (space: string, key: string) => boolean = () => true,
): Promise<LoadedModules> {
  const resolved = await resolveModules(client, vault, { modules: listModules(data), space, pin }, mayUse);
  if (resolved === null) return refuse(`uses more than ${MAX_MODULES} modules, including those inside its modules`);
  const found = assignModuleKeys(resolved);
  const bytes = [...found.values()].reduce((sum, module) => sum + module.bytes, 0);
  if (bytes > MAX_MODULE_BYTES)
    return refuse(`uses modules of ${bytes} bytes together; at most ${MAX_MODULE_BYTES} bytes are allowed`);
  return { modules: await loadData(client, found), problem: null };
}

const refuse = (problem: string): LoadedModules => ({
  modules: {},
  problem: { code: 'too_large', message: `The workflow ${problem}.` },
});

/**
 * Assigns a key to each module: the string in the node, or for frozen modules a key that the data does not contain, so
 * that no author can write it.
 */
function assignModuleKeys({ written, frozen }: ResolvedModules): Map<string, ResolvedModule> {
  const found = new Map([...written].flatMap(([key, module]) => (module ? [[key, module] as const] : [])));
  const named = new Set(found.values());
  let mark = '@';
  while ([...written.keys()].some((key) => key.includes(mark))) mark += '@';
  for (const module of frozen.values()) {
    if (!named.has(module)) found.set(`${module.version}${mark}${module.pin ?? ''}`, module);
  }
  return found;
}

/** Reads the data of each version once, even if several keys lead to it. */
async function loadData(client: Client, found: ReadonlyMap<string, ResolvedModule>): Promise<LoadedModules['modules']> {
  const ids = [...new Set([...found.values()].map(({ version }) => version))];
  const rows = await client.version.findMany({ where: { id: { in: ids } }, select: { id: true, data: true } });
  const texts = new Map(rows.map(({ id, data }) => [id, data]));
  const keys = new Map([...found].map(([key, module]) => [module, key]));
  return Object.fromEntries(
    [...found].map(([key, module]) => {
      const { version, workflow, author, space, isPublished } = module;
      const data = replaceModuleKeys(JSON.parse(texts.get(version) ?? 'null'), module, keys);
      return [key, { workflow_id: workflow, version, author, space, isPublished, data }];
    }),
  );
}

/** Replaces the names of frozen modules in a module's data by their keys. Names of missing modules become empty. */
function replaceModuleKeys(
  data: unknown,
  { pin, inside }: ResolvedModule,
  keys: ReadonlyMap<ResolvedModule, string>,
): unknown {
  const nodes = isRecord(data) && isRecord(data['nodes']) ? data['nodes'] : {};
  for (const node of Object.values(nodes)) {
    if (!isRecord(node) || node['type'] !== 'WORKFLOW' || typeof node['workflow'] !== 'string') continue;
    const frozen = inside.get(node['workflow']);
    if (frozen) node['workflow'] = keys.get(frozen);
    else if (pin !== null) node['workflow'] = '';
  }
  return data;
}
