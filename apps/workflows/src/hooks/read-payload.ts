import { isUtf8 } from 'node:buffer';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import { findBadJson } from '@millrace/contracts/kit/find-bad-json';
import { readJsonText } from '../exchange/read-json-text.js';

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

/** @throws ValidationError unless the payload is UTF-8 */
export function readTextPayload(payload: Buffer): string {
  if (!isUtf8(payload)) throw new ValidationError({ body: 'must be UTF-8; bytes of another kind fit a FILE input' });
  return payload.toString('utf8');
}
