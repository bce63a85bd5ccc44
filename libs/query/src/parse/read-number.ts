import { decimalText } from '../values/decimal-text.js';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,4})?$/i;
const INTEGER = /^[+-]?\d+$/;
/** In characters; no double needs more digits. */
const MAX_LENGTH = 400;

const LEAST = -(2n ** 63n);
const GREATEST = 2n ** 63n - 1n;

/** The whole number that a text such as `443`, `-1` or `1e6` writes, where 64 bits hold it; otherwise null. */
export function readBigint(text: string): bigint | null {
  const canonical = readNumber(text);
  if (canonical === null || !INTEGER.test(canonical)) return null;
  const value = BigInt(canonical);
  return value < LEAST || value > GREATEST ? null : value;
}

/**
 * A number in the one spelling that JSON and Postgres share, without an exponent: whole numbers that are written out with
 * all their digits, others as the nearest double.
 * @returns null where it is none, or is beyond what a double holds
 */
export function readNumber(text: string): string | null {
  if (text.length > MAX_LENGTH || !NUMBER.test(text)) return null;
  const value = Number(text);
  if (!Number.isFinite(value)) return null;
  if (INTEGER.test(text)) return String(BigInt(text.replace('+', '')));
  return decimalText(value + 0);
}
