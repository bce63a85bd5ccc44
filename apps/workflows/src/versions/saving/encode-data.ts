import { createHash } from 'node:crypto';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import { MAX_VERSION_DATA_BYTES } from '@millrace/contracts/workflows/versions';
import { listLibraryModules } from '@millrace/graph/check/check-library';
import { listModules } from '@millrace/graph/parse/read-modules';
import type { Version } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';

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

/** Why a version's data, as JSON, is too long; null if it is short enough. */
export function findSizeProblem(json: string): string | null {
  const bytes = Buffer.byteLength(json);
  if (bytes <= MAX_VERSION_DATA_BYTES) return null;
  return `is ${bytes} bytes long as JSON; at most ${MAX_VERSION_DATA_BYTES} bytes are allowed`;
}

/**
 * JSON with sorted keys: values that differ only in the order of keys give the same text. Hand-written because
 * `JSON.stringify` with a sorting replacer takes three times as long, and a version may have 10 MiB.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item) || 'null').join(',')}]`;
  const record = value as Record<string, unknown>;
  const parts: string[] = [];
  for (const key of Object.keys(record).sort()) {
    const text = canonicalJson(record[key]);
    if (text !== '') parts.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${parts.join(',')}}`;
}
