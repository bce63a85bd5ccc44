import { BUILT_IN_VARIABLES } from '@millrace/contracts/workflows/secrets';
import type { ScopedVariables } from '@millrace/graph/plan-variables';

export interface TakenVariables {
  /** In the space of the run. */
  names: string[];
  /** In modules, by the space of the module. */
  modules: { space: string; names: string[] }[];
}

/** The secret variables among those of a plan: without the ones that every run has. */
export function takenVariables(scopes: readonly ScopedVariables[]): TakenVariables {
  const taken: TakenVariables = { names: [], modules: [] };
  for (const { space, names: all } of scopes) {
    const names = all.filter((name) => !isBuiltIn(name));
    if (names.length === 0) continue;
    if (space === null) taken.names.push(...names);
    else taken.modules.push({ space, names });
  }
  return taken;
}

const isBuiltIn = (name: string): boolean => (BUILT_IN_VARIABLES as readonly string[]).includes(name);
