import { fieldOf, isRecord } from '../data/is-record.js';
import { showName } from '../names/check-name.js';
import { findNearest } from '../names/suggest-name.js';
import { baseName, type Level } from '../parse/level.js';
import { type Problems } from './problem.js';

/** Names of the library modules that there are, by id in lower case. */
export type LibraryModules = ReadonlyMap<string, string>;

/** Warns of nodes whose `id` names no module of the library. They run all the same, from the copy that they carry. */
export function checkLibrary(level: Level, modules: LibraryModules, warnings: Problems): void {
  const ids = new Map([...modules].map(([id, name]) => [name, id]));
  for (const { name, node } of level.nodes.values()) {
    const id = libraryId(node);
    if (id === null || modules.has(id.toLowerCase())) continue;
    const message = `node ${showName(name)} says that it was made from library module ${showName(id)}, which does not exist`;
    const problem = { code: 'unknown_library_module', message, node: name, path: `nodes.${name}.id` } as const;
    warnings.add({ ...problem, hint: 'leave the id out; the node runs from its own copy' }, () => {
      const near = findNearest(baseName(name), ids.keys());
      return near === undefined ? undefined : `the library has a module ${showName(near)}: "${ids.get(near) ?? ''}"`;
    });
  }
}

/** What the nodes of a version's data name: ids of library modules, and what the nodes are called. Takes any data. */
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

/** A splitter is made from nothing, and a module may be put down straight from the workflow that it wraps. */
function libraryId({ id, type, workflow }: { id?: unknown; type?: unknown; workflow?: unknown }): string | null {
  if (typeof id !== 'string' || id === '' || type === 'SPLITTER') return null;
  return type === 'WORKFLOW' && id === workflow ? null : id;
}
