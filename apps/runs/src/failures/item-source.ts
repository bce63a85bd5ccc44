import type { Plan, Step } from '@millrace/graph/plan/plan';
import { inputKey } from '@millrace/graph/run/build-command-line';

/** The parameter that has a child's item as text: of its own step, or of an earlier step of the same child. */
export interface ItemSource {
  step: number;
  /** Key in `params`. */
  key: string;
}

/** Key in `params` of the item that a step takes as text; null if it takes none. */
export function findItemKey({ inputs }: Pick<Step, 'inputs'>): string | null {
  const input = inputs.find(({ binding, type }) => binding.from === 'item' && type === 'STRING');
  return input ? inputKey(input) : null;
}

/** Finds where the item of a step's children is recorded; null if the step runs once, or no step takes the item as text. */
export function findItemSource({ steps }: Pick<Plan, 'steps'>, index: number): ItemSource | null {
  const own = steps[index];
  if (!own || own.scope === null) return null;
  for (const step of [own, ...steps]) {
    const key = step.scope === own.scope ? findItemKey(step) : null;
    if (key !== null) return { step: step.index, key };
  }
  return null;
}
