import { ValidationError } from '@millrace/contracts/kit/api-error';
import { thisMonth } from '../month.js';
import { USAGE_RANGE_DAYS } from './usage-days.js';

const DAY_MS = 86_400_000;

/** A time range that includes `from` and excludes `to`. */
export interface UsageRange {
  vault: string;
  from: string;
  to: string;
}

/** Within these years Postgres can parse the output of `toISOString`. All ledger entries are within them. */
const [EARLIEST, LATEST] = [0, Date.UTC(9_999, 0)];

const clamp = (time: number): Date => new Date(Math.min(LATEST, Math.max(EARLIEST, time)));

/** @throws ValidationError if the range ends before it begins or is too long */
export function readRange(vault: string, query: { from?: string | undefined; to?: string | undefined }): UsageRange {
  const to = clamp(query.to === undefined ? Date.now() : Date.parse(query.to));
  const from = clamp(Date.parse(query.from ?? thisMonth()));
  if (to < from)
    throw new ValidationError({
      'query.to': 'must not be before `from`, which defaults to the first day of this month',
    });
  if (to.getTime() - from.getTime() > USAGE_RANGE_DAYS * DAY_MS) {
    throw new ValidationError({ 'query.from': `must be at most ${USAGE_RANGE_DAYS} days before \`to\`` });
  }
  return { vault, from: from.toISOString(), to: to.toISOString() };
}
