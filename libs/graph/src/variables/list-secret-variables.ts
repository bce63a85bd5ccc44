import { type ScopedVariables } from './list-plan-variables.js';

export interface TakenVariables {
  /** In the space of the run. */
  names: string[];
  /** In modules, by the space of the module. */
  modules: { space: string; names: string[] }[];
}

/**
 * The secret variables among those of a plan.
 * @param builtIn names of the variables that every run has, which are no secrets
 */
export function takenVariables(scopes: readonly ScopedVariables[], builtIn: readonly string[]): TakenVariables {
  const taken: TakenVariables = { names: [], modules: [] };
  for (const { space, names: all } of scopes) {
    const names = all.filter((name) => !builtIn.includes(name));
    if (names.length === 0) continue;
    if (space === null) taken.names.push(...names);
    else taken.modules.push({ space, names });
  }
  return taken;
}
