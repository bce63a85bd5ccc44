type Inputs = Record<string, string | boolean>;

/** The labels of a workflow's inputs, by the inputs' ids. */
export type InputLabels = Map<string, string>;

/** An input with this label takes the whole body, unless the body has a field of this name. */
const WHOLE_BODY_LABEL = 'body';

interface Primitive {
  label?: unknown;
  value?: string | boolean | null;
}

/**
 * Reads the labels from a version's data, which was validated when it was saved. A label that only repeats the default
 * value counts as none.
 */
export function readInputLabels(data: unknown): InputLabels {
  const { primitiveNodes = {} } = data as { primitiveNodes?: Record<string, Primitive> };
  return new Map(Object.entries(primitiveNodes).map(([id, primitive]) => [id, labelOf(primitive)]));
}

const labelOf = ({ label, value }: Primitive): string =>
  typeof label === 'string' && label !== String(value ?? '') ? label : '';

/**
 * Maps the body of a webhook call to the inputs of a run, by id or label. Unknown names are refused when the run
 * starts, unless an input takes the whole body. Texts and booleans are used unmodified, null means no value, other
 * values become JSON.
 */
export function readHookInputs(body: object, labels: InputLabels): Inputs {
  const names = new Set([...labels.keys(), ...labels.values()].filter((name) => name !== ''));
  const takesWhole = [...labels.values()].includes(WHOLE_BODY_LABEL) && !Object.hasOwn(body, WHOLE_BODY_LABEL);
  const entries = Object.entries(body).filter(([name, value]) => value !== null && (!takesWhole || names.has(name)));
  const inputs: Inputs = Object.fromEntries(entries.map(([name, value]) => [name, toInput(value)]));
  return takesWhole ? { ...inputs, [WHOLE_BODY_LABEL]: JSON.stringify(body) } : inputs;
}

const toInput = (value: unknown): string | boolean =>
  typeof value === 'string' || typeof value === 'boolean' ? value : JSON.stringify(value);
