const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:[Zz]|[+-](?:0\d|1[0-5]):[0-5]\d)$/;

/**
 * Whether a text is a moment as of RFC 3339 that Postgres keeps whole: with its offset, to the microsecond, of the years
 * 1 to 9999 (in UTC, as it is shown), without leap seconds.
 */
export function isTimestamp(text: string): boolean {
  if (!RFC_3339.test(text)) return false;
  const [year, month, day] = [number(text, 0) * 100 + number(text, 2), number(text, 5), number(text, 8)];
  if (year === 0 || month === 0 || month > 12 || day === 0 || day > daysOf(year, month)) return false;
  if (number(text, 11) > 23 || number(text, 14) > 59 || number(text, 17) > 59) return false;
  const minute = number(text, 11) * 60 + number(text, 14) - offsetOf(text);
  if (year === 1 && month === 1 && day === 1) return minute >= 0;
  return year !== 9999 || month !== 12 || day !== 31 || minute < 24 * 60;
}

/** In minutes; none for `Z`. */
function offsetOf(text: string): number {
  const at = text.length - 6;
  if (text[at] !== '+' && text[at] !== '-') return 0;
  return (number(text, at + 1) * 60 + number(text, at + 4)) * (text[at] === '-' ? -1 : 1);
}

/** Of the two digits at a place. */
const number = (text: string, at: number): number => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;

const LONG_MONTHS = 0b1010110101010;

function daysOf(year: number, month: number): number {
  if (month !== 2) return (LONG_MONTHS >> month) & 1 ? 31 : 30;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}
