import { listLibraryModules, type LibraryModules } from '@millrace/graph/check/check-library';
import type { Database } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';

const MAX_NAMESAKES = 1_000;

/** The library modules that data names by id, and modules with the name of a node, for hints. */
export async function loadLibraryNames(
  client: Database['client'],
  data: unknown,
  vault: string,
): Promise<LibraryModules> {
  const { ids, names } = listLibraryModules(data);
  if (ids.length === 0) return new Map();
  const visible = { OR: [{ vaultId: null }, { vaultId: vault }] };
  const select = { id: true, name: true } as const;
  const modules = await client.libraryModule.findMany({ where: { ...visible, id: { in: ids.filter(isId) } }, select });
  const found = new Map(modules.map(({ id, name }) => [id, name]));
  if (ids.every((id) => found.has(id))) return found;
  const namesakes = await client.libraryModule.findMany({
    where: { ...visible, name: { in: names } },
    select,
    take: MAX_NAMESAKES,
  });
  for (const { id, name } of namesakes) found.set(id, name);
  return found;
}
