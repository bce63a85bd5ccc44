/** The first day of a calendar month (UTC), as a Postgres date: `2026-01-01`. */
export const monthOf = (moment: Date): string => `${moment.toISOString().slice(0, 7)}-01`;

export const thisMonth = (): string => monthOf(new Date());

/** The first day of the month that is this many months before the one of a moment. */
export const monthsAgo = (moment: Date, months: number): string =>
  monthOf(new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() - months, 1)));
