import { UNITS } from '@millrace/storage/settings/byte-size';
import type { Encoding } from './decompress.js';

/** How much one load may bring. A few MB of gzip can unpack to more than a disk has space for. */
export interface LoadLimits {
  /** LOAD_MAX_UNPACKED_BYTES: bytes of one file after it is unpacked. */
  unpackedBytes: number;
  /** LOAD_MAX_RATIO: how many times its packed size a file may unpack to. */
  ratio: number;
  /** LOAD_MAX_ROWS: rows of one load, including rejected rows. */
  rows: number;
}

/** The ratio is not limited up to this unpacked size, because small files of equal rows pack better than any others. */
const MIN_CONTENT_BYTES = 64 * UNITS.M;

/** Starts the error of a load that exceeded a limit, so that an upload can distinguish it from other errors. */
const TOO_LARGE_PREFIX = 'Too large: ';

export const isTooLarge = (error: string | null): boolean => error?.startsWith(TOO_LARGE_PREFIX) === true;

/** A load brings more than the settings allow. The message names the limit and its value. */
export class LoadTooLargeError extends Error {
  override name = 'LoadTooLargeError';

  constructor(problem: string) {
    super(`${TOO_LARGE_PREFIX}${problem}`);
  }

  static forRows({ rows }: Pick<LoadLimits, 'rows'>): LoadTooLargeError {
    return new LoadTooLargeError(
      `the load has more than ${formatNumber(rows)} rows (LOAD_MAX_ROWS). Split the rows into several loads.`,
    );
  }
}

/** How many bytes a file may have after it is unpacked, and the error beyond that. */
export interface ContentLimit {
  maxBytes: number;
  createError: () => LoadTooLargeError;
}

/** @param size of the file as it is stored, in bytes */
export function findContentLimit(size: number, encoding: Encoding, limits: LoadLimits): ContentLimit {
  const { unpackedBytes, ratio } = limits;
  const ratioBytes = Math.max(MIN_CONTENT_BYTES, size * ratio);
  if (encoding === 'identity' || ratioBytes >= unpackedBytes) {
    const problem = `the file has more than ${formatNumber(unpackedBytes)} bytes (LOAD_MAX_UNPACKED_BYTES). Split the file into smaller ones.`;
    return { maxBytes: unpackedBytes, createError: () => new LoadTooLargeError(problem) };
  }
  const problem = `${formatNumber(size)} packed bytes unpack to more than ${formatNumber(ratio)} times as many (LOAD_MAX_RATIO). Split the file or upload it without compression.`;
  return { maxBytes: ratioBytes, createError: () => new LoadTooLargeError(problem) };
}

const formatNumber = (value: number): string => value.toLocaleString('en-US');
