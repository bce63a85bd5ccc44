import { createHash } from 'node:crypto';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import { listModules } from '@millrace/graph/parse/read-modules';
import { canonicalJson } from './canonical-json.js';
import { findSizeProblem } from './find-size-problem.js';
import { listLibraryIds } from './list-library-ids.js';

/** A version's data as it is stored. */
export interface EncodedData {
  /** JSON, keys in the order in which they came. */
  data: string;
  dataHash: string;
  modules: string[];
  library: string[];
}

/** @throws ApiError `payload_too_large`, ValidationError where it cannot be written as JSON */
export function encodeData(data: unknown): EncodedData {
  const { text, canonical } = write(data);
  const problem = findSizeProblem(text);
  if (problem !== null) throw new ApiError('payload_too_large', 'The workflow is too large', { 'body.data': problem });
  const dataHash = createHash('sha256').update(canonical).digest('hex');
  return { data: text, dataHash, modules: listModules(data), library: listLibraryIds(data) };
}

function write(data: unknown): { text: string; canonical: string } {
  try {
    return { text: JSON.stringify(data), canonical: canonicalJson(data) };
  } catch (error) {
    if (error instanceof RangeError) throw new ValidationError({ 'body.data': 'is nested too deep' });
    throw error;
  }
}
