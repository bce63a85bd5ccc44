import type { WorkspaceEntry } from '@millrace/contracts/runs/sandbox-hosts';

/**
 * Paths that cannot stay beside what comes: folders that became a file, files that became a folder. Empty folders in which
 * something comes are no entries any more.
 */
export function findDisplaced(
  existing: readonly string[],
  coming: readonly Pick<WorkspaceEntry, 'path' | 'kind'>[],
): string[] {
  const above = new Set(coming.flatMap(({ path }) => foldersAbove(path)));
  const leaves = new Set(coming.filter(({ kind }) => kind !== 'folder').map(({ path }) => path));
  return existing.filter((path) => above.has(path) || foldersAbove(path).some((folder) => leaves.has(folder)));
}

/** `a/b/c`: `a` and `a/b`. */
export function foldersAbove(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
