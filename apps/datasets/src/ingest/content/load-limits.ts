import { UNITS } from '@millrace/storage/byte-size';
import type { Encoding } from './decompress.js';

/** How much one load may bring, by setting: a few MB of gzip can unpack to more than all disks hold. */
export interface LoadLimits {
  /** LOAD_MAX_UNPACKED_BYTES: bytes of one file after it is unpacked. */
  unpackedBytes: number;
  /** LOAD_MAX_RATIO: how many times its packed size a file may unpack to. */
  ratio: number;
  /** LOAD_MAX_ROWS: rows of one load, those that cannot be read included. */
  rows: number;
}

/** What every packed file may unpack to, whatever its ratio: small files of equal rows pack better than any others. */
const MIN_CONTENT_BYTES = 64 * UNITS.M;

/** Begins the error of a load that failed because of a limit, by which an upload knows that it is to be refused. */
const TOO_LARGE_PREFIX = 'Too large: ';

export const isTooLarge = (error: string | null): boolean => error?.startsWith(TOO_LARGE_PREFIX) === true;

const number = (value: number): string => value.toLocaleString('en-US');

/** A load brings more than the settings allow; the message names the limit and its value. */
export class LoadTooLargeError extends Error {
  override name = 'LoadTooLarge';

  constructor(problem: string) {
    super(`${TOO_LARGE_PREFIX}${problem}`);
  }

  static forRows({ rows }: Pick<LoadLimits, 'rows'>): LoadTooLargeError {
    return new LoadTooLargeError(`more than ${number(rows)} rows (LOAD_MAX_ROWS)`);
  }
}

/** How many bytes a file may have after it is unpacked, and how it is refused beyond that. */
export interface ContentLimit {
  maxBytes: number;
  createError: () => LoadTooLargeError;
}

/** @param size of the file as it is stored, in bytes */
export function findContentLimit(size: number, encoding: Encoding, limits: LoadLimits): ContentLimit {
  const bytes = limits.unpackedBytes;
  const ofBytes = {
    maxBytes: bytes,
    createError: () => new LoadTooLargeError(`more than ${number(bytes)} bytes (LOAD_MAX_UNPACKED_BYTES)`),
  };
  const byRatio = Math.max(MIN_CONTENT_BYTES, size * limits.ratio);
  if (encoding === 'identity' || byRatio >= bytes) return ofBytes;
  const createError = () =>
    new LoadTooLargeError(
      `${number(size)} packed bytes unpack to more than ${number(limits.ratio)} times as many (LOAD_MAX_RATIO)`,
    );
  return { maxBytes: byRatio, createError };
}
