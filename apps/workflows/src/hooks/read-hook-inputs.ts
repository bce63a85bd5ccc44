type Inputs = Record<string, string | boolean>;

/** What a version says of the inputs of its workflow: their labels by id. */
export type InputLabels = Map<string, string>;

/** Takes all of a body that does not name it. */
const WHOLE_BODY_LABEL = 'body';

interface Primitive {
  label?: unknown;
  value?: string | boolean | null;
}

/**
 * Reads the labels out of a version's data, which was checked when it was saved. One that only repeats the default names
 * nothing.
 */
export function readInputLabels(data: unknown): InputLabels {
  const { primitiveNodes = {} } = data as { primitiveNodes?: Record<string, Primitive> };
  return new Map(Object.entries(primitiveNodes).map(([id, primitive]) => [id, labelOf(primitive)]));
}

const labelOf = ({ label, value }: Primitive): string =>
  typeof label === 'string' && label !== String(value ?? '') ? label : '';

/**
 * The inputs of a run out of the body of a webhook's call, by id or label; the start of the run refuses unknown ones, unless
 * an input takes the whole body. Text and flags are taken as they are, null is no value, anything else is its JSON.
 */
export function readHookInputs(body: object, labels: InputLabels): Inputs {
  const names = new Set([...labels.keys(), ...labels.values()].filter((name) => name !== ''));
  const takesWhole = [...labels.values()].includes(WHOLE_BODY_LABEL) && !Object.hasOwn(body, WHOLE_BODY_LABEL);
  const given = Object.entries(body).filter(([name, value]) => value !== null && (!takesWhole || names.has(name)));
  const inputs: Inputs = Object.fromEntries(given.map(([name, value]) => [name, toInput(value)]));
  return takesWhole ? { ...inputs, [WHOLE_BODY_LABEL]: JSON.stringify(body) } : inputs;
}

const toInput = (value: unknown): string | boolean =>
  typeof value === 'string' || typeof value === 'boolean' ? value : JSON.stringify(value);
