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
      'The body is not valid JSON. To accept other bodies, set `payload_as` of the webhook to the input that takes the body.',
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
