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
