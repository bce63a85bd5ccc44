import type { ListQuery } from '@millrace/contracts/kit/list';

/** Maps API fields by which lists are ordered to model fields with another name. */
export const DATE_COLUMNS = { created_date: 'createdAt', modified_date: 'modifiedAt' };

type Direction = 'asc' | 'desc';

interface Page {
  skip: number;
  take: number;
  orderBy: Record<string, Direction | { sort: Direction; nulls: 'last' }>[];
}

/**
 * Converts a parsed list query to the arguments `skip`, `take` and `orderBy` of Prisma. The id is the last criterion,
 * so pages never overlap.
 * @param columns model fields by API field, if the names differ
 */
export function pageArgs(query: ListQuery, columns: Record<string, string> = {}, key = 'id'): Page {
  const orders = query.ordering.map(({ field, descending }) => ({
    [columns[field] ?? field]: descending ? ('desc' as const) : ('asc' as const),
  }));
  const idDirection: Direction = query.ordering[0]?.descending ? 'desc' : 'asc';
  return {
    skip: (query.page - 1) * query.page_size,
    take: query.page_size,
    orderBy: [...orders, { [key]: idDirection }],
  };
}

/** Prisma filter for `search`: any of `fields` contains the text, ignoring case. Empty if the text is empty. */
export function searchFilter<F extends string>(search: string, fields: readonly F[]) {
  if (search === '') return {};
  const contains = escapeLike(search);
  const condition = { contains, mode: 'insensitive' as const };
  return { OR: fields.map((field) => ({ [field]: condition }) as Record<F, typeof condition>) };
}

/**
 * Escapes a text for a LIKE pattern with the default escape character of Postgres. The filters `contains` and
 * `startsWith` of Prisma also build patterns, without escaping.
 */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, String.raw`\$&`);
