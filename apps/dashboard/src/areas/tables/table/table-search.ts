export const TABLE_TABS = ['rows', 'changes', 'loads', 'columns', 'chart'] as const;
export type TableTab = (typeof TABLE_TABS)[number];

/** What a link to a table shows. */
export interface TableSearch {
  tab?: TableTab;
  /** Condition of the rows. */
  q?: string;
  order?: string;
  /** The shown columns, in their order, as `select` has them. */
  columns?: string;
  /** Number of the row that is open. */
  row?: string;
  /** Run whose changes are shown. */
  run?: string;
  /** Run to compare that one with. */
  since?: string;
  kind?: 'new' | 'changed' | 'gone';
  /** Load whose rejected rows are shown. */
  load?: string;
  /** Column of the chart, and its bucket. */
  by?: string;
  per?: string;
  metric?: string;
}

const TEXTS = ['q', 'order', 'columns', 'row', 'run', 'since', 'load', 'by', 'per', 'metric'] as const;

export function validateTableSearch(search: Record<string, unknown>): TableSearch {
  const texts = TEXTS.flatMap((name) => {
    const value = search[name];
    return typeof value === 'string' && value !== '' ? [[name, value]] : [];
  });
  const { tab, kind } = search;
  return {
    ...(Object.fromEntries(texts) as Partial<Record<(typeof TEXTS)[number], string>>),
    ...(isTab(tab) && tab !== 'rows' && { tab }),
    ...(isKind(kind) && { kind }),
  };
}

const isTab = (value: unknown): value is TableTab => TABLE_TABS.some((tab) => tab === value);

const isKind = (value: unknown): value is NonNullable<TableSearch['kind']> =>
  value === 'new' || value === 'changed' || value === 'gone';

export type SearchChange = { [Name in keyof TableSearch]?: TableSearch[Name] | undefined };

/** Changes the search of a page, and keeps it there or makes it a step of the history. */
export type ChangeSearch = (change: SearchChange, replace?: boolean) => void;

export const changeSearch = (old: TableSearch, change: SearchChange): TableSearch =>
  validateTableSearch({ ...old, ...change });
