import { createHash } from 'node:crypto';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { MAX_VERSION_DATA_BYTES } from '@millrace/contracts/workflows/versions';
import { listModules } from '@millrace/graph/read-modules';
import { canonicalJson } from './canonical-json.js';
import { listLibraryIds } from './list-library-ids.js';

/** A version's data as it is stored. */
export interface EncodedData {
  /** JSON, keys in the order in which they came. */
  data: string;
  dataHash: string;
  modules: string[];
  library: string[];
}

/** @throws ApiError `payload_too_large` */
export function encodeData(data: unknown): EncodedData {
  const text = JSON.stringify(data);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_VERSION_DATA_BYTES) {
    const problem = `is ${bytes} bytes long as JSON; at most ${MAX_VERSION_DATA_BYTES} are allowed`;
    throw new ApiError('payload_too_large', 'The workflow is too large', { 'body.data': problem });
  }
  const dataHash = createHash('sha256').update(canonicalJson(data)).digest('hex');
  return { data: text, dataHash, modules: listModules(data), library: listLibraryIds(data) };
}
