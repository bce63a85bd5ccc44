import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { client } from '../../../api/client.js';
import { BASIC_ITEMS, type LibraryItem, moduleItem } from './library-item.js';

const PAGE_SIZE = 100;

/** Steps, inputs and modules whose name or description contains all words. */
export function useLibrary(search: string) {
  const words = useDeferredValue(search.trim());
  const query = useInfiniteQuery({
    queryKey: ['editor', 'library', words],
    queryFn: async ({ signal, pageParam }) =>
      await client.modules.list({ search: words, page: pageParam, page_size: PAGE_SIZE }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ next }, pages) => (next ? pages.length + 1 : undefined),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const items = useMemo<LibraryItem[]>(() => {
    const basic = BASIC_ITEMS.filter((item) => matches(item, words));
    const modules = query.data?.pages.flatMap(({ results }) => results.map(moduleItem)) ?? [];
    return [...basic, ...modules];
  }, [query.data, words]);
  return { ...query, items };
}

const matches = ({ label, description }: LibraryItem, words: string): boolean => {
  const text = `${label} ${description}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

/** Items by category, in the order in which the categories first occur. */
export function groupItems(items: readonly LibraryItem[]): [category: string, items: LibraryItem[]][] {
  const groups = new Map<string, LibraryItem[]>();
  for (const item of items) groups.set(item.category, [...(groups.get(item.category) ?? []), item]);
  return [...groups];
}
