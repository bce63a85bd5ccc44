import { type Plan } from './plan.js';
import { findVariables } from './substitute-variables.js';

/**
 * Names of the variables that a plan takes, each once: in text written on nodes, in defaults of the workflow's text
 * inputs, and in environments. What a run is given from outside is no part of a plan, and takes none.
 */
export function planVariables({ steps, primitives }: Pick<Plan, 'steps' | 'primitives'>): string[] {
  const names = new Set<string>();
  const look = (text: unknown) => {
    if (typeof text === 'string') for (const name of findVariables(text)) names.add(name);
  };
  for (const { inputs, environment } of steps) {
    for (const { type, binding } of inputs) if (type === 'STRING' && binding.from === 'value') look(binding.value);
    Object.values(environment).forEach(look);
  }
  for (const { type, value } of Object.values(primitives)) if (type === 'STRING') look(value);
  return [...names];
}
