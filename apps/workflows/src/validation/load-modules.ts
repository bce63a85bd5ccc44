import type { Problem } from '@millrace/graph/problem';
import { listModules } from '@millrace/graph/read-modules';
import { MAX_NESTING, type ModuleVersion } from '@millrace/graph/workflow-data';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';

const MAX_MODULES = 100;
/** All modules of a version together, as JSON; with the version itself they travel in one message to the engine. */
const MAX_MODULE_BYTES = 20 * 1024 * 1024;

type Client = Pick<Transaction, '$queryRaw' | 'version'>;

interface FoundModule {
  /** As written in the WORKFLOW node, in lower case. */
  key: string;
  version: string;
  workflow: string;
  author: string;
  space: string;
  /** Named as a version that stands in the library, and so is for everybody in the vault. */
  published: boolean;
  modules: string[];
  bytes: number;
}

export interface LoadedModules {
  modules: Record<string, Required<ModuleVersion> & Pick<FoundModule, 'published'>>;
  /** Where there are more modules than can be loaded; `modules` is empty then. */
  problem: Problem | null;
}

/**
 * Finds what a version's WORKFLOW nodes wrap, all the way down: by the id of a version, or of a workflow, whose latest
 * version counts. What is not in the vault is left out. One level deeper than may be nested is loaded, so that
 * validation sees that it is too deep.
 * @param mayUse whether the data itself may name a module of that space; what lies inside of modules is their authors' matter
 */
export async function loadModules(
  client: Client,
  vault: string,
  data: unknown,
  mayUse: (space: string, key: string) => boolean = () => true,
): Promise<LoadedModules> {
  const found = new Map<string, FoundModule>();
  const asked = new Set<string>();
  let layer = listModules(data);
  for (let depth = 0; depth <= MAX_NESTING && layer.length > 0; depth++) {
    for (const key of layer) asked.add(key);
    if (asked.size > MAX_MODULES) return refuse(`uses more than ${MAX_MODULES} modules`);
    const rows = await findVersions(client, vault, layer);
    const next = new Set<string>();
    for (const key of layer) {
      const row = rows.get(key.toLowerCase());
      if (!row || (depth === 0 && !row.published && !mayUse(row.space, key))) continue;
      found.set(key, row);
      for (const inner of row.modules) if (!asked.has(inner)) next.add(inner);
    }
    layer = [...next];
  }
  const bytes = [...found.values()].reduce((sum, row) => sum + row.bytes, 0);
  if (bytes > MAX_MODULE_BYTES) return refuse(`uses modules of ${bytes} bytes; ${MAX_MODULE_BYTES} are allowed`);
  return { modules: await loadData(client, found), problem: null };
}

const refuse = (what: string): LoadedModules => ({
  modules: {},
  problem: { code: 'too_large', message: `the workflow ${what}` },
});

async function findVersions(client: Client, vault: string, keys: string[]): Promise<Map<string, FoundModule>> {
  const ids = keys.filter(isId).map((key) => key.toLowerCase());
  if (ids.length === 0) return new Map();
  const rows = await client.$queryRaw<FoundModule[]>(Prisma.sql`
    SELECT k.key::text AS key, v.id::text AS version, v.workflow_id::text AS workflow, v.author::text AS author,
      w.space_id::text AS space,
      (named.id IS NULL AND v.snapshot) AS published,
      v.modules, octet_length(v.data) AS bytes
    FROM unnest(${ids}::uuid[]) AS k(key)
    LEFT JOIN workflows.workflow named ON named.id = k.key
    JOIN workflows.version v ON v.id = coalesce(named.latest_version_id, k.key)
    JOIN workflows.workflow w ON w.id = v.workflow_id
    WHERE w.vault_id = ${vault}::uuid`);
  return new Map(rows.map((row) => [row.key, row]));
}

/** Reads each version once, however many keys lead to it. */
async function loadData(client: Client, found: Map<string, FoundModule>): Promise<LoadedModules['modules']> {
  const ids = [...new Set([...found.values()].map(({ version }) => version))];
  const rows = await client.version.findMany({ where: { id: { in: ids } }, select: { id: true, data: true } });
  const parsed = new Map(rows.map(({ id, data }) => [id, JSON.parse(data) as unknown]));
  return Object.fromEntries(
    [...found].map(([key, { version, workflow, ...facts }]) => [
      key,
      { workflow_id: workflow, version, ...pickFacts(facts), data: parsed.get(version) },
    ]),
  );
}

const pickFacts = ({ author, space, published }: Pick<FoundModule, 'author' | 'space' | 'published'>) => ({
  author,
  space,
  published,
});
