import { createHash } from 'node:crypto';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import { MAX_VERSION_DATA_BYTES } from '@millrace/contracts/workflows/versions';
import { listModules } from '@millrace/graph/read-modules';
import { canonicalJson } from './canonical-json.js';
import { isDeeperThan, MAX_DEPTH } from './is-deeper-than.js';

/** A version's data as it is stored. */
export interface EncodedData {
  /** JSON, keys in the order in which they came. */
  data: string;
  dataHash: string;
  modules: string[];
}

/** @throws ApiError `payload_too_large`, ValidationError for data nested too deep */
export function encodeData(data: unknown): EncodedData {
  if (isDeeperThan(data, MAX_DEPTH)) {
    throw new ValidationError({ 'body.data': `must not be nested more than ${MAX_DEPTH} levels deep` });
  }
  const text = JSON.stringify(data);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_VERSION_DATA_BYTES) {
    const problem = `is ${bytes} bytes long as JSON; at most ${MAX_VERSION_DATA_BYTES} are allowed`;
    throw new ApiError('payload_too_large', 'The workflow is too large', { 'body.data': problem });
  }
  const dataHash = createHash('sha256').update(canonicalJson(data)).digest('hex');
  return { data: text, dataHash, modules: listModules(data) };
}
