const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,4})?$/i;
const INTEGER = /^[+-]?\d+$/;
/** In characters. No double needs more digits. */
const MAX_LENGTH = 400;

const MIN_BIGINT = -(2n ** 63n);
const MAX_BIGINT = 2n ** 63n - 1n;

/** Reads a whole number such as `443`, `-1` or `1e6`. Returns null if the text is not one, or exceeds 64 bits. */
export function readBigint(text: string): bigint | null {
  const canonical = readNumber(text);
  if (canonical === null || !INTEGER.test(canonical)) return null;
  const value = BigInt(canonical);
  return value < MIN_BIGINT || value > MAX_BIGINT ? null : value;
}

/**
 * Reads a number and returns it in the form that JSON and Postgres share, without an exponent. Whole numbers without an
 * exponent retain all their digits; others become the nearest double.
 * @returns null if the text is not a number, or exceeds the range of a double
 */
export function readNumber(text: string): string | null {
  if (text.length > MAX_LENGTH || !NUMBER.test(text)) return null;
  const value = Number(text);
  if (!Number.isFinite(value)) return null;
  if (INTEGER.test(text)) return String(BigInt(text.replace('+', '')));
  return formatDecimal(value + 0);
}

/** Formats a number with the shortest digits that represent it and without an exponent, as `numeric_out` does. */
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
