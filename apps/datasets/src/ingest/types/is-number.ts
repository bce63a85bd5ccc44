const INTEGER = /^(?:0|-?[1-9]\d{0,18})$/;
/** In the notation of JSON. */
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const MIN_BIGINT = -(2n ** 63n);
const MAX_BIGINT = 2n ** 63n - 1n;
/** Any number with this many digits survives a conversion to double and back (IEEE 754). */
const SAFE_DIGITS = 15;
/** No double needs more characters. A longer text is not examined. */
const MAX_NUMBER_LENGTH = 400;

/** Whether a text is a 64-bit integer in the form that Postgres writes: "007" and "-0" are not. */
export function isBigint(text: string): boolean {
  if (!INTEGER.test(text)) return false;
  if (text.length < 19) return true;
  const value = BigInt(text);
  return value >= MIN_BIGINT && value <= MAX_BIGINT;
}

/** Whether a text is a number that a double represents with all digits. */
export function isDouble(text: string): boolean {
  if (text.length > MAX_NUMBER_LENGTH || !DECIMAL.test(text)) return false;
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  const digits = significantDigits(text);
  if (digits === '') return true;
  return value !== 0 && (digits.length <= SAFE_DIGITS || digits === significantDigits(String(value)));
}

/** Digits without sign, point, exponent, and leading and trailing zeros. */
function significantDigits(text: string): string {
  const digits = text.replace(/[eE].*$/, '').replaceAll(/[-.]/g, '');
  let [start, end] = [0, digits.length];
  while (start < end && digits[start] === '0') start++;
  // Not `/0+$/`, which takes quadratic time for a long sequence of zeros.
  while (end > start && digits[end - 1] === '0') end--;
  return digits.slice(start, end);
}

/** Whether a double represents an integer exactly, as for all integers up to this size. */
export const isExactInteger = (whole: string): boolean => Number.isSafeInteger(Number(whole));
