/**
 * The packages that a change of some packages affects: these packages and all that depend on them, directly or indirectly.
 * @param {import('./list-workspaces.mjs').Workspace[]} workspaces
 * @param {string[]} changed names
 * @returns {Set<string>} names
 */
export function findDependents(workspaces, changed) {
  const found = new Set(changed);
  for (const name of found) {
    // The iteration includes entries that are added to the set during it.
    for (const other of workspaces) if (other.dependencies.includes(name)) found.add(other.name);
  }
  return found;
}
