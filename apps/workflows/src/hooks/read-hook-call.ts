import { isUtf8 } from 'node:buffer';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import { findBadJson } from '@millrace/contracts/kit/find-bad-json';
import { readJsonText } from '../exchange/yaml/read-json-text.js';

/** @throws ApiError `malformed_json`; ValidationError unless the payload is an object or empty */
export function readJsonPayload(payload: Buffer): object {
  if (payload.length === 0) return {};
  const text = readTextPayload(payload);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError(
      'malformed_json',
      'The body is not valid JSON. To accept other bodies, set `payload_as` of the hook to the input that takes the body.',
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ValidationError({ body: 'must be a JSON object' });
  }
  const bad = findBadJson(value);
  if (bad !== null) throw new ValidationError({ body: bad });
  if (!readJsonText(text.trimStart()))
    throw new ValidationError({ body: 'must not contain the key `__proto__` or `prototype`' });
  return value;
}

/** Longest argument of a command on Linux, in bytes (MAX_ARG_STRLEN in include/uapi/linux/binfmts.h, without the NUL). */
const MAX_TEXT_BYTES = 131_071;

/** @throws ApiError `payload_too_large` for a text that is too long for a command's argument */
export function refuseLongText(inputs: Record<string, string | boolean>): void {
  for (const [name, value] of Object.entries(inputs)) {
    if (typeof value !== 'string' || Buffer.byteLength(value) <= MAX_TEXT_BYTES) continue;
    throw new ApiError('payload_too_large', 'The payload is too large for a STRING input.', {
      [`body.${name}`]: `is ${Buffer.byteLength(value)} bytes long; a STRING input takes at most ${MAX_TEXT_BYTES} bytes, a FILE input takes more`,
    });
  }
}

/** @throws ValidationError unless the payload is UTF-8 */
export function readTextPayload(payload: Buffer): string {
  if (!isUtf8(payload)) throw new ValidationError({ body: 'must be UTF-8; use a FILE input for other bytes' });
  return payload.toString('utf8');
}

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
 * Maps the body of a call to a hook to the inputs of a run, by id or label. Unknown names are refused when the run
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
