import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

const MAX_ADDRESS_LENGTH = 49;

/** Whether a text is an address or network that Postgres' `inet` stores without loss: no zone, no host bits in a network. */
export function isAddress(text: string): boolean {
  if (text.length > MAX_ADDRESS_LENGTH || text.length < 2) return false;
  const slash = text.indexOf('/');
  if (slash !== -1) return isNetwork(text, text.slice(0, slash), text.slice(slash + 1));
  return isIPv4(text) || (isIPv6(text) && !text.includes('%'));
}

function isNetwork(text: string, address: string, bits: string): boolean {
  if (!/^(0|[1-9]\d{0,2})$/.test(bits) || address.includes('%')) return false;
  if (isIPv4(address)) return Number(bits) <= 32 && isNetworkAddress(ipaddr.IPv4.networkAddressFromCIDR(text), address);
  return isIPv6(address) && Number(bits) <= 128 && isNetworkAddress(ipaddr.IPv6.networkAddressFromCIDR(text), address);
}

const isNetworkAddress = (network: ipaddr.IPv4 | ipaddr.IPv6, address: string): boolean =>
  network.toNormalizedString() === ipaddr.parse(address).toNormalizedString();

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

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:[Zz]|[+-](?:0\d|1[0-5]):[0-5]\d)$/;

/**
 * Whether a text is an RFC 3339 timestamp that Postgres stores without loss: with an offset, up to microseconds, in the
 * years 1 to 9999 (in UTC), and not a leap second.
 */
export function isTimestamp(text: string): boolean {
  if (!RFC_3339.test(text)) return false;
  const [year, month, day] = [twoDigits(text, 0) * 100 + twoDigits(text, 2), twoDigits(text, 5), twoDigits(text, 8)];
  if (year === 0 || month === 0 || month > 12 || day === 0 || day > daysOf(year, month)) return false;
  if (twoDigits(text, 11) > 23 || twoDigits(text, 14) > 59 || twoDigits(text, 17) > 59) return false;
  const minute = twoDigits(text, 11) * 60 + twoDigits(text, 14) - offsetOf(text);
  if (year === 1 && month === 1 && day === 1) return minute >= 0;
  return year !== 9999 || month !== 12 || day !== 31 || minute < 24 * 60;
}

/** In minutes; 0 for `Z`. */
function offsetOf(text: string): number {
  const at = text.length - 6;
  if (text[at] !== '+' && text[at] !== '-') return 0;
  return (twoDigits(text, at + 1) * 60 + twoDigits(text, at + 4)) * (text[at] === '-' ? -1 : 1);
}

/** The number of two digits. */
const twoDigits = (text: string, at: number): number => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;

const LONG_MONTHS = 0b1010110101010;

function daysOf(year: number, month: number): number {
  if (month !== 2) return (LONG_MONTHS >> month) & 1 ? 31 : 30;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}
