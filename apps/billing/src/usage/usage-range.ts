import { ValidationError } from '@millrace/contracts/kit/api-error';
import { thisMonth } from '../month.js';

const DAY_MS = 86_400_000;
/** A million entries are added up in about 2 s (Postgres 18, one core); a leap year of them is as much as one may ask for. */
const MAX_DAYS = 366;

/** A stretch of time, from its first moment to before its last. */
export interface UsageRange {
  vault: string;
  from: string;
  to: string;
}

/** What `toISOString` writes as Postgres reads it; the ledger has nothing from outside of it. */
const [EARLIEST, LATEST] = [0, Date.UTC(9_999, 0)];

const within = (time: number): Date => new Date(Math.min(LATEST, Math.max(EARLIEST, time)));

/** @throws ValidationError where it ends before it begins, or is too long */
export function readRange(vault: string, query: { from?: string | undefined; to?: string | undefined }): UsageRange {
  const to = within(query.to === undefined ? Date.now() : Date.parse(query.to));
  const from = within(Date.parse(query.from ?? thisMonth()));
  if (to < from)
    throw new ValidationError({ 'query.to': 'must not be before `from`, which is this month without one' });
  if (to.getTime() - from.getTime() > MAX_DAYS * DAY_MS) {
    throw new ValidationError({ 'query.from': `must not be more than ${MAX_DAYS} days before \`to\`` });
  }
  return { vault, from: from.toISOString(), to: to.toISOString() };
}
