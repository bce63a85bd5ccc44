import { Problems, type Problem } from '../check/problem.js';
import { readValue } from '../data/read-value.js';
import { showName } from '../names/check-name.js';
import { suggestName } from '../names/suggest-name.js';
import { type Plan, type PlanPrimitive } from '../plan/plan.js';

/** The values of a run's inputs, by primitive id: the value that the run provides, or else the default. */
export interface RunInputs {
  values: Record<string, string | boolean>;
  /** Ids of the inputs whose value the run provides. */
  providedIds: ReadonlySet<string>;
  errors: Problem[];
}

/**
 * Resolves the inputs of a run against its workflow's inputs. Keys are primitive ids or labels. An id takes precedence over a
 * label, and inputs with the same label all receive its value. Null is no value. An unknown key, a value of the wrong type
 * and a used input without a value are errors; their `port` is the key.
 */
export function resolveRunInputs(plan: Plan, provided: Readonly<Record<string, unknown>>): RunInputs {
  const errors = new Problems();
  const values = new Map<string, string | boolean>();
  const providedIds = new Set<string>();
  const invalidIds = new Set<string>();
  const primitives = new Map(Object.entries(plan.primitives));
  for (const [id, { value }] of primitives) if (value !== null) values.set(id, value);
  for (const [key, ids] of matchKeys(primitives, Object.keys(provided), errors)) {
    for (const id of ids) {
      const read = readValue(primitives.get(id)?.type ?? 'STRING', provided[key]);
      if ('value' in read) {
        if (read.value !== null) {
          values.set(id, read.value);
          providedIds.add(id);
        }
        continue;
      }
      invalidIds.add(id);
      errors.add({ code: 'bad_value', message: `The value of input ${showName(key)} ${read.problem}.`, port: key });
    }
  }
  for (const id of listUsedPrimitives(plan)) {
    if (values.has(id) || invalidIds.has(id)) continue;
    const name = inputName(plan, id);
    errors.add({ code: 'missing_input', message: `Input ${showName(name)} needs a value.`, port: name });
  }
  return { values: Object.fromEntries(values), providedIds, errors: errors.list() };
}

/** The name of a workflow's input for users: its label, or its id if it has none. */
export const inputName = ({ primitives }: Plan, id: string): string => primitives[id]?.label || id;

/** Finds the primitives for each key. Ids are last, so that they overwrite labels. */
function matchKeys(primitives: Map<string, PlanPrimitive>, keys: string[], errors: Problems): [string, string[]][] {
  const byLabel = new Map<string, string[]>();
  for (const [id, { label }] of primitives) {
    const ids = byLabel.get(label);
    if (label !== '' && ids === undefined) byLabel.set(label, [id]);
    else ids?.push(id);
  }
  const labels: [string, string[]][] = [];
  const ids: [string, string[]][] = [];
  for (const key of keys) {
    const labelled = byLabel.get(key);
    if (primitives.has(key)) ids.push([key, [key]]);
    else if (labelled !== undefined) labels.push([key, labelled]);
    else {
      const message = `The workflow has no input ${showName(key)}.`;
      errors.add({ code: 'unknown_input', message, port: key }, () =>
        suggestName(key, [...byLabel.keys(), ...primitives.keys()]),
      );
    }
  }
  return [...labels, ...ids];
}

/** Lists the ids of the workflow's inputs that a node or its condition uses. */
export function listUsedPrimitives(plan: Plan): Set<string> {
  const bindings = plan.steps.flatMap((step) => step.inputs.map((input) => input.binding));
  const bound = bindings.flatMap((binding) => (binding.from === 'primitive' ? [binding.primitive] : []));
  return new Set([...bound, ...plan.steps.flatMap(({ when }) => when?.inputs ?? [])]);
}
