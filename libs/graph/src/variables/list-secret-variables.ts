import { type ScopedVariables } from './list-plan-variables.js';

export interface SecretVariables {
  /** Names in the space of the run. */
  names: string[];
  /** Names in modules, by the module's space. */
  modules: { space: string; names: string[] }[];
}

/**
 * Lists the secret variables among a plan's variables.
 * @param builtIn names of the variables that every run has, which are not secret
 */
export function listSecretVariables(scopes: readonly ScopedVariables[], builtIn: readonly string[]): SecretVariables {
  const secrets: SecretVariables = { names: [], modules: [] };
  for (const { space, names: allNames } of scopes) {
    const names = allNames.filter((name) => !builtIn.includes(name));
    if (names.length === 0) continue;
    if (space === null) secrets.names.push(...names);
    else secrets.modules.push({ space, names });
  }
  return secrets;
}
