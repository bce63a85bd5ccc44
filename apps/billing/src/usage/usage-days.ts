import { Prisma } from '@millrace/persistence/generated/client';

/** The longest range of a request: one leap year. Postgres 18 sums a million entries in about 2 s on one core. */
export const USAGE_RANGE_DAYS = 366;

/** In `usage_day` and `usage_run`: the space is unknown. */
export const NO_SPACE = '00000000-0000-0000-0000-000000000000';

/** In `usage_day`: the runs were not in use in the year before. */
export const NO_DAY = '0001-01-01';

/** The CPU time of a ledger entry. Unlike floats, these numbers have the same sum in any order. */
export const roundedCpuMs = Prisma.sql`round(cpu_ms::numeric, 6)`;
