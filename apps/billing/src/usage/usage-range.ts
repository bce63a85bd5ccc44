import { ValidationError } from '@millrace/contracts/kit/api-error';
import { thisMonth } from '../month.js';

/** A stretch of time, from its first moment to before its last. */
export interface UsageRange {
  vault: string;
  from: string;
  to: string;
}

/** What `toISOString` writes as Postgres reads it; the ledger has nothing from outside of it. */
const [EARLIEST, LATEST] = [0, Date.UTC(9_999, 0)];

const within = (time: number): Date => new Date(Math.min(LATEST, Math.max(EARLIEST, time)));

/** @throws ValidationError where it ends before it begins */
export function readRange(vault: string, query: { from?: string | undefined; to?: string | undefined }): UsageRange {
  const to = within(query.to === undefined ? Date.now() : Date.parse(query.to));
  const from = within(Date.parse(query.from ?? thisMonth()));
  if (to < from)
    throw new ValidationError({ 'query.to': 'must not be before `from`, which is this month without one' });
  return { vault, from: from.toISOString(), to: to.toISOString() };
}
