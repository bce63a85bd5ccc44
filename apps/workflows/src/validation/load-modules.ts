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

/** All modules of a version together, as JSON; with the version itself they travel in one message to the engine. */
const MAX_MODULE_BYTES = 20 * 1024 * 1024;

type Client = Pick<Transaction, '$queryRaw' | 'version'>;

export interface LoadedModules {
  modules: Record<string, Required<ModuleVersion> & Pick<ResolvedModule, 'isPublished'>>;
  /** Where there are more modules than can be loaded; `modules` is empty then. */
  problem: Problem | null;
}

export interface ModuleUser extends Pick<Container, 'space' | 'pin'> {
  data: unknown;
}

/**
 * Loads what a version's WORKFLOW nodes use, all the way down (`resolveModules`). What is not in the vault is left out. One
 * level deeper than may be nested is loaded, so that validation sees that it is too deep. Data in which a pin freezes
 * modules names them by keys of their own.
 * @param mayUse whether the data itself may name a module of that space; what lies inside of modules is their authors' matter
 */
export async function loadModules(
  client: Client,
  vault: string,
  { data, space, pin }: ModuleUser,
  mayUse: (space: string, key: string) => boolean = () => true,
): Promise<LoadedModules> {
  const resolved = await resolveModules(client, vault, { modules: listModules(data), space, pin }, mayUse);
  if (resolved === null) return refuse(`uses more than ${MAX_MODULES} modules`);
  const found = assignModuleKeys(resolved);
  const bytes = [...found.values()].reduce((sum, module) => sum + module.bytes, 0);
  if (bytes > MAX_MODULE_BYTES) return refuse(`uses modules of ${bytes} bytes; ${MAX_MODULE_BYTES} are allowed`);
  return { modules: await loadData(client, found), problem: null };
}

const refuse = (what: string): LoadedModules => ({
  modules: {},
  problem: { code: 'too_large', message: `the workflow ${what}` },
});

/** Every module by its key: as a node names it, or one that no data contains, so that no author can write it. */
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

/** Reads the text of each version once, however many keys lead to it. */
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

/** The data of a module, in which nodes name frozen modules by their keys. Those that do not exist keep no name. */
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
