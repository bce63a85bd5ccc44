/** RFC 3339, but the time of day, the seconds and the zone (default UTC) are optional, and a space may replace the T. */
const ABSOLUTE = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?([Zz]|[+-]\d\d:?\d\d)?)?$/;
const RELATIVE = /^now(?:([+-])(\d{1,9})([smhdw]))?$/i;

const SECOND = 1_000_000n;
const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['s', SECOND],
  ['m', 60n * SECOND],
  ['h', 3_600n * SECOND],
  ['d', 86_400n * SECOND],
  ['w', 604_800n * SECOND],
]);

/** Years 1 to 9999, as RFC 3339 can write them. */
const MIN_MOMENT = BigInt(Date.parse('0001-01-01T00:00:00Z')) * 1_000n;
const MAX_MOMENT = BigInt(Date.parse('9999-12-31T23:59:59.999Z')) * 1_000n + 999n;

/**
 * Reads a date in RFC 3339, or `now`, `now-7d`, `now+1h` (units s, m, h, d, w), as microseconds since 1970 in UTC. Ignores
 * digits after the microseconds. Second 60 is the next second, as in Postgres.
 * @returns null if the text is not a date in the years 1 to 9999
 */
export function readMoment(text: string, now: Date): bigint | null {
  const moment = readAbsolute(text) ?? readRelative(text, now);
  return moment === null || moment < MIN_MOMENT || moment > MAX_MOMENT ? null : moment;
}

export const isRelativeMoment = (text: string): boolean => RELATIVE.test(text);

/** Formats a moment in RFC 3339 and UTC with milliseconds, or with microseconds if they are not 0. */
export function formatMoment(microseconds: bigint): string {
  const below = ((microseconds % 1_000n) + 1_000n) % 1_000n;
  const text = new Date(Number((microseconds - below) / 1_000n)).toISOString();
  return below === 0n ? text : `${text.slice(0, -1)}${String(below).padStart(3, '0')}Z`;
}

function readAbsolute(text: string): bigint | null {
  const found = ABSOLUTE.exec(text);
  if (found === null) return null;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0));
  if (hour! > 23 || minute! > 59 || second! > 60) return null;
  const date = new Date(0);
  date.setUTCFullYear(year!, month! - 1, day);
  if (date.getUTCMonth() !== month! - 1 || date.getUTCDate() !== day) return null;
  const zone = readZone(found[8]);
  if (zone === null) return null;
  const fraction = BigInt((found[7] ?? '').padEnd(6, '0').slice(0, 6));
  const seconds = (hour! * 60 + minute! - zone) * 60 + second!;
  return BigInt(date.getTime()) * 1_000n + BigInt(seconds) * SECOND + fraction;
}

/** Minutes east of Greenwich. */
function readZone(zone: string | undefined): number | null {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

function readRelative(text: string, now: Date): bigint | null {
  const found = RELATIVE.exec(text);
  if (found === null) return null;
  const [, sign, amount, unit] = found;
  const distance = BigInt(amount ?? 0) * (UNITS.get((unit ?? 's').toLowerCase()) ?? SECOND);
  return BigInt(now.getTime()) * 1_000n + (sign === '-' ? -distance : distance);
}
