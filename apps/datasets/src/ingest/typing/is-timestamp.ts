const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,6})?(?:[Zz]|[+-](\d{2}):(\d{2}))$/;

/**
 * Whether a text is a moment as of RFC 3339 that Postgres keeps whole: with its offset, to the microsecond, of the years
 * 1 to 9999, without leap seconds.
 */
export function isTimestamp(text: string): boolean {
  const parts = RFC_3339.exec(text);
  if (!parts) return false;
  const [year, month, day, hour, minute, second, offset = 0, offsetMinute = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  if (year === undefined || month === undefined || day === undefined) return false;
  if (year === 0 || month === 0 || month > 12 || day === 0 || day > daysOf(year, month)) return false;
  return (hour ?? 0) < 24 && (minute ?? 0) < 60 && (second ?? 0) < 60 && offset < 16 && offsetMinute < 60;
}

const LONG_MONTHS = [1, 3, 5, 7, 8, 10, 12];

function daysOf(year: number, month: number): number {
  if (month !== 2) return LONG_MONTHS.includes(month) ? 31 : 30;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}
