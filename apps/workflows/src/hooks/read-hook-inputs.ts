import { ValidationError } from '@millrace/contracts/kit/api-error';

type Inputs = Record<string, string | boolean>;

/** What a version says of the inputs of its workflow: their labels by id. */
export type InputLabels = Map<string, string>;

/** Takes all of a body that does not name it. */
const WHOLE = 'body';

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
 * The inputs of a run out of the body of a webhook's call: those that it names by id or label; others are passed over.
 * Text and flags are taken as they are, null is no value, anything else is its JSON.
 * @throws ValidationError where the body is no object
 */
export function readHookInputs(body: unknown, labels: InputLabels): Inputs {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ValidationError({ body: 'must be a JSON object' });
  }
  const names = new Set([...labels.keys(), ...labels.values()].filter((name) => name !== ''));
  const given = Object.entries(body).filter(([name, value]) => names.has(name) && value !== null);
  const inputs: Inputs = Object.fromEntries(given.map(([name, value]) => [name, toInput(value)]));
  const takesWhole = [...labels.values()].includes(WHOLE) && !Object.hasOwn(body, WHOLE);
  return takesWhole ? { ...inputs, [WHOLE]: JSON.stringify(body) } : inputs;
}

const toInput = (value: unknown): string | boolean =>
  typeof value === 'string' || typeof value === 'boolean' ? value : JSON.stringify(value);
