import { UNITS } from '@millrace/storage/byte-size';
import type { Encoding } from './open-content.js';

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
const ALWAYS_ALLOWED_BYTES = 64 * UNITS.M;

/** Begins the error of a load that failed because of a limit, by which an upload knows that it is to be refused. */
const TOO_LARGE = 'Too large: ';

export const isTooLarge = (error: string | null): boolean => error?.startsWith(TOO_LARGE) === true;

const number = (value: number): string => value.toLocaleString('en-US');

/** A load brings more than the settings allow; the message names the limit and its value. */
export class LoadTooLarge extends Error {
  override name = 'LoadTooLarge';

  constructor(problem: string) {
    super(`${TOO_LARGE}${problem}`);
  }

  static ofRows({ rows }: Pick<LoadLimits, 'rows'>): LoadTooLarge {
    return new LoadTooLarge(`more than ${number(rows)} rows (LOAD_MAX_ROWS)`);
  }
}

/** How many bytes a file may have after it is unpacked, and how it is refused beyond that. */
export interface ContentLimit {
  bytes: number;
  refuse: () => LoadTooLarge;
}

/** @param size of the file as it is stored, in bytes */
export function contentLimit(size: number, encoding: Encoding, limits: LoadLimits): ContentLimit {
  const bytes = limits.unpackedBytes;
  const ofBytes = {
    bytes,
    refuse: () => new LoadTooLarge(`more than ${number(bytes)} bytes (LOAD_MAX_UNPACKED_BYTES)`),
  };
  const byRatio = Math.max(ALWAYS_ALLOWED_BYTES, size * limits.ratio);
  if (encoding === 'identity' || byRatio >= bytes) return ofBytes;
  const refuse = () =>
    new LoadTooLarge(
      `${number(size)} packed bytes unpack to more than ${number(limits.ratio)} times as many (LOAD_MAX_RATIO)`,
    );
  return { bytes: byRatio, refuse };
}
