import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client } from '../../../api/client.js';
import { AREA_KEY } from '../parts/area-queries.js';
import type { LetterFilter } from './letter-filter.js';

export const PAGE_SIZE = 100;
/** Something may fail, or succeed again, while the page is open. */
const REFRESH_INTERVAL_MS = 15_000;

export const deadLettersQuery = (filter: LetterFilter, q: string | undefined, page = 1) =>
  queryOptions({
    queryKey: [AREA_KEY, 'dead-letters', { ...filter, q, page }],
    queryFn: async ({ signal }) =>
      await client.deadLetters.list(
        { ...filter, ...(q !== undefined && { search: q }), page, page_size: PAGE_SIZE },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_INTERVAL_MS,
  });
