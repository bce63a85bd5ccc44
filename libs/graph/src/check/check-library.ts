import { fieldOf, isRecord } from '../data/is-record.js';
import { showName } from '../names/check-name.js';
import { findNearest } from '../names/suggest-name.js';
import { baseName, type Level } from '../parse/level.js';
import { type Problems } from './problem.js';

/** Names of existing library modules, by id in lower case. */
export type LibraryModules = ReadonlyMap<string, string>;

/** Warns of nodes whose `id` names no library module. Such a node still runs, from its own copy of the module. */
export function checkLibrary(level: Level, modules: LibraryModules, warnings: Problems): void {
  const ids = new Map([...modules].map(([id, name]) => [name, id]));
  for (const { name, node } of level.nodes.values()) {
    const id = libraryId(node);
    if (id === null || modules.has(id.toLowerCase())) continue;
    const message = `The \`id\` of node ${showName(name)} names library module ${showName(id)}, which does not exist.`;
    const problem = { code: 'unknown_library_module', message, node: name, path: `nodes.${name}.id` } as const;
    warnings.add({ ...problem, hint: 'Remove the `id`; the node runs from its own copy of the module.' }, () => {
      const nearest = findNearest(baseName(name), ids.keys());
      if (nearest === undefined) return undefined;
      return `The library has a module ${showName(nearest)} with the id "${ids.get(nearest) ?? ''}".`;
    });
  }
}

/** Lists the library module ids in a version's data, and the base names of the nodes that have them. Takes any data. */
export function listLibraryModules(data: unknown): { ids: string[]; names: string[] } {
  const nodes = fieldOf(data, 'nodes');
  const ids = new Set<string>();
  const names = new Set<string>();
  for (const [name, node] of Object.entries(isRecord(nodes) ? nodes : {})) {
    const id = isRecord(node) ? libraryId(node) : null;
    if (id === null) continue;
    ids.add(id.toLowerCase());
    names.add(baseName(name));
  }
  return { ids: [...ids], names: [...names] };
}

/** A splitter has no library module. A module node may have the id of its workflow instead of a library id. */
function libraryId({ id, type, workflow }: { id?: unknown; type?: unknown; workflow?: unknown }): string | null {
  if (typeof id !== 'string' || id === '' || type === 'SPLITTER') return null;
  return type === 'WORKFLOW' && id === workflow ? null : id;
}
