import { type Plan } from '../plan/plan.js';
import { findVariables } from './substitute-variables.js';

/** Variables that a plan takes from one scope. */
export interface ScopedVariables {
  /** Space of the module that the names are written in; null for the workflow of the run. */
  space: string | null;
  names: string[];
}

/**
 * The variables that a plan takes, by scope, each once: in text written on nodes, in defaults of text inputs, and in
 * environments. The inputs that a run is given are no part of a plan, and take none. The run's own scope comes first.
 */
export function planVariables({ steps, primitives }: Pick<Plan, 'steps' | 'primitives'>): ScopedVariables[] {
  const scopes = new Map<string | null, Set<string>>();
  for (const { name, space } of findPlaces({ steps, primitives })) {
    const names = scopes.get(space);
    if (names === undefined) scopes.set(space, new Set([name]));
    else names.add(name);
  }
  return [...scopes]
    .map(([space, names]) => ({ space, names: [...names] }))
    .sort((a, b) => Number(a.space !== null) - Number(b.space !== null));
}

/** A variable where a plan takes it. */
export interface VariablePlace {
  name: string;
  space: string | null;
  /** Path of the node, or of the input of a workflow, that the text is written on. */
  node: string;
  /** Whether it is the default of an input, which a run may replace. */
  isDefault: boolean;
}

/** Every place where a plan takes a variable, in the order of the plan. */
export function findPlaces({ steps, primitives }: Pick<Plan, 'steps' | 'primitives'>): VariablePlace[] {
  const places: VariablePlace[] = [];
  const look = (text: unknown, node: string, space: string | null = null, isDefault = false) => {
    if (typeof text !== 'string') return;
    for (const name of findVariables(text)) places.push({ name, space, node, isDefault });
  };
  for (const { node, inputs, environment, space } of steps) {
    for (const { type, binding } of inputs) {
      if (type === 'STRING' && binding.from === 'value') look(binding.value, node, binding.space);
    }
    for (const value of Object.values(environment)) look(value, node, space);
  }
  for (const [id, { type, value, space }] of Object.entries(primitives)) {
    if (type === 'STRING') look(value, id, space, true);
  }
  return places;
}

/** Key of a variable among those of a run. A name of a variable holds no slash, so no two variables share a key. */
export const variableKey = (space: string | null | undefined, name: string): string =>
  space === null || space === undefined ? name : `${space}/${name}`;
