import type { WorkspaceEntry } from '@millrace/contracts/runs/sandbox-hosts';

/**
 * Finds existing paths that conflict with new entries: folders that became a file, and files that became a folder. An empty
 * folder that gets content no longer has an entry of its own.
 */
export function findDisplaced(
  existing: readonly string[],
  added: readonly Pick<WorkspaceEntry, 'path' | 'kind'>[],
): string[] {
  const above = new Set(added.flatMap(({ path }) => foldersAbove(path)));
  const leaves = new Set(added.filter(({ kind }) => kind !== 'folder').map(({ path }) => path));
  return existing.filter((path) => above.has(path) || foldersAbove(path).some((folder) => leaves.has(folder)));
}

/** `a/b/c`: `a` and `a/b`. */
export function foldersAbove(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
