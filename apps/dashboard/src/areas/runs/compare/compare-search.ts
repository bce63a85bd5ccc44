import { readChoice, withoutEmpty } from '../../../routing/read-search.js';

export const COMPARE_TABS = ['summary', 'nodes', 'outputs', 'tables'] as const;
export type CompareTab = (typeof COMPARE_TABS)[number];

export interface CompareSearch {
  tab?: CompareTab;
  /** The Live Table whose rows are shown. */
  table?: string;
}

export const readCompareSearch = (search: Record<string, unknown>): CompareSearch =>
  withoutEmpty({
    tab: readChoice(search['tab'], COMPARE_TABS),
    table: typeof search['table'] === 'string' && search['table'] !== '' ? search['table'] : undefined,
  });
