/** The first day of a calendar month (UTC), as a Postgres date: `2026-01-01`. */
export const monthOf = (moment: Date): string => `${moment.toISOString().slice(0, 7)}-01`;

export const thisMonth = (): string => monthOf(new Date());
