const WHOLE = /^(?:0|-?[1-9]\d{0,18})$/;
/** As of JSON. */
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const MIN_BIGINT = -(2n ** 63n);
const MAX_BIGINT = 2n ** 63n - 1n;
/** Digits that every double keeps (IEEE 754). */
const SAFE_DIGITS = 15;
/** No double has so many characters that count; what is longer is text, and costs nothing. */
const MAX_NUMBER_LENGTH = 400;

/** Whether a text is a whole number of 64 bits, written as Postgres writes it: "007" and "-0" are not. */
export function isBigint(text: string): boolean {
  if (!WHOLE.test(text)) return false;
  if (text.length < 19) return true;
  const value = BigInt(text);
  return value >= MIN_BIGINT && value <= MAX_BIGINT;
}

/** Whether a text is a number that a double holds with all its digits. */
export function isDouble(text: string): boolean {
  if (text.length > MAX_NUMBER_LENGTH || !DECIMAL.test(text)) return false;
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  const digits = significantDigits(text);
  if (digits === '') return true;
  return value !== 0 && (digits.length <= SAFE_DIGITS || digits === significantDigits(String(value)));
}

/** Without sign, point, exponent and zeros at the ends. */
function significantDigits(text: string): string {
  const digits = text.replace(/[eE].*$/, '').replaceAll(/[-.]/g, '');
  let [start, end] = [0, digits.length];
  while (start < end && digits[start] === '0') start++;
  // Not `/0+$/`, which begins anew at each zero of a row of them.
  while (end > start && digits[end - 1] === '0') end--;
  return digits.slice(start, end);
}

/** Whole numbers beyond that, either way, are not all doubles. */
export const isExactInteger = (whole: string): boolean => Number.isSafeInteger(Number(whole));
