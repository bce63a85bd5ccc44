import { createHash } from 'node:crypto';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import { listLibraryModules } from '@millrace/graph/check/check-library';
import { listModules } from '@millrace/graph/parse/read-modules';
import type { Version } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { canonicalJson } from './canonical-json.js';
import { findSizeProblem } from './find-size-problem.js';

/** A version's data as the database stores it. */
export interface EncodedData {
  /** JSON, keys in the order of the request. */
  data: string;
  dataHash: string;
  /** What its WORKFLOW nodes name. */
  modules: string[];
  /** Ids of the library modules that its nodes were made from. */
  library: string[];
}

/** The stored data of a version, to save it again byte for byte. */
export const toEncodedData = ({ data, dataHash, modules, library }: Version): EncodedData => ({
  data,
  dataHash,
  modules,
  library,
});

/** @throws ApiError `payload_too_large`, ValidationError if the data cannot be written as JSON */
export function encodeData(data: unknown): EncodedData {
  const { text, canonical } = write(data);
  const problem = findSizeProblem(text);
  if (problem !== null) throw new ApiError('payload_too_large', 'The workflow is too large.', { 'body.data': problem });
  const dataHash = createHash('sha256').update(canonical).digest('hex');
  return { data: text, dataHash, modules: listModules(data), library: listLibraryIds(data) };
}

/** Ids of the library modules that a version's nodes were made from, each once. Accepts any data. */
export const listLibraryIds = (data: unknown): string[] => listLibraryModules(data).ids.filter(isId).sort();

function write(data: unknown): { text: string; canonical: string } {
  try {
    return { text: JSON.stringify(data), canonical: canonicalJson(data) };
  } catch (error) {
    if (error instanceof RangeError) throw new ValidationError({ 'body.data': 'is nested too deeply' });
    throw error;
  }
}
