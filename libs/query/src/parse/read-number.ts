const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,4})?$/i;
const INTEGER = /^[+-]?\d+$/;
/** In characters; no double needs more digits. */
const MAX_LENGTH = 400;

const MIN_BIGINT = -(2n ** 63n);
const MAX_BIGINT = 2n ** 63n - 1n;

/** The whole number that a text such as `443`, `-1` or `1e6` writes, where 64 bits hold it; otherwise null. */
export function readBigint(text: string): bigint | null {
  const canonical = readNumber(text);
  if (canonical === null || !INTEGER.test(canonical)) return null;
  const value = BigInt(canonical);
  return value < MIN_BIGINT || value > MAX_BIGINT ? null : value;
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
  return formatDecimal(value + 0);
}

/** The shortest digits that are read as the same number, without an exponent, as `numeric_out` has it. */
export function formatDecimal(value: number): string {
  const [digits = '', exponent] = String(value).split('e');
  if (exponent === undefined) return Object.is(value, -0) ? '-0' : digits;
  const sign = digits.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.');
  const point = whole.length + Number(exponent);
  const all = whole + fraction;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${all}`;
  return `${sign}${all.padEnd(point, '0')}`;
}
