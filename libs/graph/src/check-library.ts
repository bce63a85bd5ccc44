import { showName } from './check-name.js';
import { baseName, type Level } from './level.js';
import { type Problems } from './problem.js';
import { findNearest } from './suggest-name.js';
import { type WorkflowNode } from './workflow-data.js';

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
  const nodes = isRecord(data) && isRecord(data['nodes']) ? data['nodes'] : {};
  const named = Object.entries(nodes).filter(([, node]) => isRecord(node) && libraryId(node) !== null);
  const ids = named.map(([, node]) => libraryId(node as Partial<WorkflowNode>)?.toLowerCase() ?? '');
  return { ids: [...new Set(ids)], names: [...new Set(named.map(([name]) => baseName(name)))] };
}

/** A splitter is made from nothing, and a module may be put down straight from the workflow that it wraps. */
function libraryId({ id, type, workflow }: { id?: unknown; type?: unknown; workflow?: unknown }): string | null {
  if (typeof id !== 'string' || id === '' || type === 'SPLITTER') return null;
  return type === 'WORKFLOW' && id === workflow ? null : id;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
