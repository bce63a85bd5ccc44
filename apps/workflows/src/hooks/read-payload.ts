import { isUtf8 } from 'node:buffer';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import { findBadJson } from '@millrace/contracts/kit/find-bad-json';
import { readJsonText } from '../exchange/yaml/read-json-text.js';

/** @throws ApiError `malformed_json`; ValidationError unless the payload is an object, or nothing at all */
export function readJsonPayload(payload: Buffer): object {
  if (payload.length === 0) return {};
  const text = readTextPayload(payload);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError(
      'malformed_json',
      'The body is not valid JSON. For another kind of body, set `payload_as` of the webhook to the input that takes it.',
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ValidationError({ body: 'must be a JSON object' });
  }
  const bad = findBadJson(value);
  if (bad !== null) throw new ValidationError({ body: bad });
  if (!readJsonText(text.trimStart()))
    throw new ValidationError({ body: 'must not have a key `__proto__` or `prototype`' });
  return value;
}

/** Bytes that Linux takes as one argument of a command (MAX_ARG_STRLEN of include/uapi/linux/binfmts.h, without the NUL). */
const MAX_TEXT_BYTES = 131_071;

/** @throws ApiError `payload_too_large` for text that could be given to no command */
export function refuseLongText(inputs: Record<string, string | boolean>): void {
  for (const [name, value] of Object.entries(inputs)) {
    if (typeof value !== 'string' || Buffer.byteLength(value) <= MAX_TEXT_BYTES) continue;
    throw new ApiError('payload_too_large', 'The payload is too large for a text input', {
      [`body.${name}`]: `has ${Buffer.byteLength(value)} bytes; a STRING input takes at most ${MAX_TEXT_BYTES}, a FILE input takes more`,
    });
  }
}

/** @throws ValidationError unless the payload is UTF-8 */
export function readTextPayload(payload: Buffer): string {
  if (!isUtf8(payload)) throw new ValidationError({ body: 'must be UTF-8; bytes of another kind fit a FILE input' });
  return payload.toString('utf8');
}
