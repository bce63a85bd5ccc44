import type { ListQuery } from '@millrace/contracts/kit/list';
import { escapeLike } from './escape-like.js';

type Direction = 'asc' | 'desc';

interface Page {
  skip: number;
  take: number;
  orderBy: Record<string, Direction | { sort: Direction; nulls: 'last' }>[];
}

/**
 * Turns a parsed list query into Prisma's `skip`, `take` and `orderBy`, with ties broken by id so that pages never
 * overlap.
 * @param columns model field by the field's name in the API, for those that differ
 */
export function pageArgs(query: ListQuery, columns: Record<string, string> = {}, key = 'id'): Page {
  const orders = query.ordering.map(({ field, descending }) => ({
    [columns[field] ?? field]: descending ? ('desc' as const) : ('asc' as const),
  }));
  const tie: Direction = query.ordering[0]?.descending ? 'desc' : 'asc';
  return { skip: (query.page - 1) * query.page_size, take: query.page_size, orderBy: [...orders, { [key]: tie }] };
}

/** Prisma filter for `search`: a case-insensitive part of any of `fields`. Nothing where there is nothing to search. */
export function searchFilter<F extends string>(search: string, fields: readonly F[]) {
  if (search === '') return {};
  const contains = escapeLike(search);
  const condition = { contains, mode: 'insensitive' as const };
  return { OR: fields.map((field) => ({ [field]: condition }) as Record<F, typeof condition>) };
}
