import type { Plan } from '../plan/plan.js';
import { findVariables } from './substitute-variables.js';

/** Variables that a plan uses from one space. */
export interface ScopedVariables {
  /** Space of the module whose texts use the names; null for the workflow of the run. */
  space: string | null;
  names: string[];
}

/**
 * Lists the variables that a plan uses, by space, each once. Variables are substituted in text that is set on nodes, in
 * defaults of STRING inputs, and in environments, but not in the inputs that a run provides. The run's space is first.
 */
export function listPlanVariables({ steps, primitives }: Pick<Plan, 'steps' | 'primitives'>): ScopedVariables[] {
  const spaces = new Map<string | null, Set<string>>();
  for (const { name, space } of listVariableUses({ steps, primitives })) {
    const names = spaces.get(space);
    if (names === undefined) spaces.set(space, new Set([name]));
    else names.add(name);
  }
  return [...spaces]
    .map(([space, names]) => ({ space, names: [...names] }))
    .sort((a, b) => Number(a.space !== null) - Number(b.space !== null));
}

/** The variables of two plans by space, each once. */
export function mergeVariables(a: readonly ScopedVariables[], b: readonly ScopedVariables[]): ScopedVariables[] {
  const bySpace = Map.groupBy([...a, ...b], ({ space }) => space);
  return [...bySpace].map(([space, scoped]) => ({
    space,
    names: [...new Set(scoped.flatMap(({ names }) => names))],
  }));
}

/** One use of a variable in a plan. */
export interface VariableUse {
  name: string;
  space: string | null;
  /** Path of the node, or of the workflow's input, that has the text. */
  node: string;
  /** Whether the text is the default of an input, which a run can override. */
  isDefault: boolean;
}

/** Lists every use of a variable, in the order of the plan. */
export function listVariableUses({ steps, primitives }: Pick<Plan, 'steps' | 'primitives'>): VariableUse[] {
  const uses: VariableUse[] = [];
  const collect = (text: unknown, node: string, space: string | null = null, isDefault = false) => {
    if (typeof text !== 'string') return;
    for (const name of findVariables(text)) uses.push({ name, space, node, isDefault });
  };
  for (const { node, inputs, environment, space } of steps) {
    for (const { type, binding } of inputs) {
      if (type === 'STRING' && binding.from === 'value') collect(binding.value, node, binding.space);
    }
    for (const value of Object.values(environment)) collect(value, node, space);
  }
  for (const [id, { type, value, space }] of Object.entries(primitives)) {
    if (type === 'STRING') collect(value, id, space, true);
  }
  return uses;
}

/** Key of a variable in a run. A variable's name contains no slash, so every variable has a key of its own. */
export const variableKey = (space: string | null | undefined, name: string): string =>
  space === null || space === undefined ? name : `${space}/${name}`;

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
