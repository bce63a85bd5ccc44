import { Problems, type Problem } from '../check/problem.js';
import { readValue } from '../data/read-value.js';
import { showName } from '../names/check-name.js';
import { suggestName } from '../names/suggest-name.js';
import { type Plan, type PlanPrimitive } from '../plan/plan.js';

/** A value for every input of the workflow that has one, by primitive id: what the run gives, else the default. */
export interface RunInputs {
  values: Record<string, string | boolean>;
  /** Ids of the inputs whose value the run gives. */
  given: ReadonlySet<string>;
  errors: Problem[];
}

/**
 * Fits what a run was started with to the inputs of its workflow: keys are primitive ids or labels (an id goes before a
 * label; inputs that share a label all take the value), values are checked against the input's type, null is no value.
 * An unknown key, a wrong value, and a used input that stays without a value are errors, under `port` the key.
 */
export function resolveRunInputs(plan: Plan, given: Readonly<Record<string, unknown>>): RunInputs {
  const errors = new Problems();
  const values = new Map<string, string | boolean>();
  const set = new Set<string>();
  const refused = new Set<string>();
  const primitives = new Map(Object.entries(plan.primitives));
  for (const [id, { value }] of primitives) if (value !== null) values.set(id, value);
  for (const [key, ids] of matchKeys(primitives, Object.keys(given), errors)) {
    for (const id of ids) {
      const read = readValue(primitives.get(id)?.type ?? 'STRING', given[key]);
      if ('value' in read) {
        if (read.value !== null) {
          values.set(id, read.value);
          set.add(id);
        }
        continue;
      }
      refused.add(id);
      errors.add({ code: 'bad_value', message: `the value of input ${showName(key)} ${read.wrong}`, port: key });
    }
  }
  for (const id of usedPrimitives(plan)) {
    if (values.has(id) || refused.has(id)) continue;
    const name = inputName(plan, id);
    errors.add({ code: 'missing_input', message: `input ${showName(name)} needs a value`, port: name });
  }
  return { values: Object.fromEntries(values), given: set, errors: errors.list() };
}

/** What people call an input of the workflow: its label, or its id where it has none. */
export const inputName = ({ primitives }: Plan, id: string): string => primitives[id]?.label || id;

/** The primitives that each key means; ids come last, so that they go before labels. */
function matchKeys(primitives: Map<string, PlanPrimitive>, keys: string[], errors: Problems): [string, string[]][] {
  const byLabel = new Map<string, string[]>();
  for (const [id, { label }] of primitives) {
    const sharing = byLabel.get(label);
    if (label !== '' && sharing === undefined) byLabel.set(label, [id]);
    else sharing?.push(id);
  }
  const labels: [string, string[]][] = [];
  const ids: [string, string[]][] = [];
  for (const key of keys) {
    const sharing = byLabel.get(key);
    if (primitives.has(key)) ids.push([key, [key]]);
    else if (sharing !== undefined) labels.push([key, sharing]);
    else {
      const message = `the workflow has no input ${showName(key)}`;
      errors.add({ code: 'unknown_input', message, port: key }, () =>
        suggestName(key, [...byLabel.keys(), ...primitives.keys()]),
      );
    }
  }
  return [...labels, ...ids];
}

/** Inputs of the workflow, by id, that a node takes its value from. */
export function usedPrimitives(plan: Plan): Set<string> {
  const bindings = plan.steps.flatMap((step) => step.inputs.map((input) => input.binding));
  return new Set(bindings.flatMap((binding) => (binding.from === 'primitive' ? [binding.primitive] : [])));
}
