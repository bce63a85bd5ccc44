/**
 * The packages that change when some packages change: themselves and all that depend on them, however indirectly.
 * @param {import('./list-workspaces.mjs').Workspace[]} workspaces
 * @param {string[]} changed names
 * @returns {Set<string>} names
 */
export function findDependents(workspaces, changed) {
  const found = new Set(changed);
  for (const name of found) {
    // A set that grows while it is walked is walked to its new end.
    for (const other of workspaces) if (other.dependencies.includes(name)) found.add(other.name);
  }
  return found;
}
