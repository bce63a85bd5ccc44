import { readChoice, readText, withoutEmpty } from '../../../routing/read-search.js';

/** Groups of statuses that the list is filtered by. */
export const STATUS_FILTERS = {
  active: { label: 'Under way', statuses: 'PENDING,SUBMITTED,RUNNING,STOPPING' },
  completed: { label: 'Completed', statuses: 'COMPLETED' },
  failed: { label: 'Failed', statuses: 'FAILED' },
  stopped: { label: 'Stopped', statuses: 'STOPPED' },
} as const;

export type StatusFilter = keyof typeof STATUS_FILTERS;

export const CREATION_TYPES = {
  MANUAL: 'By hand',
  SCHEDULED: 'Schedule',
  API: 'API',
  HOOK: 'Hook',
} as const;

export type CreationType = keyof typeof CREATION_TYPES;

export const ORDERINGS = {
  '-created_date': 'Newest first',
  created_date: 'Oldest first',
  '-completed_date': 'Last ended first',
  name: 'By name',
} as const;

export type Ordering = keyof typeof ORDERINGS;
export const DEFAULT_ORDERING: Ordering = '-created_date';

const keysOf = <T extends string>(record: Record<T, unknown>): T[] => Object.keys(record) as T[];

/** What the address of a list of runs chooses. */
export interface ListSearch {
  search?: string;
  status?: StatusFilter;
  type?: CreationType;
  workflow?: string;
  space?: string;
  sort?: Ordering;
}

export function readListSearch(search: Record<string, unknown>): ListSearch {
  const sort = readChoice(search['sort'], keysOf(ORDERINGS));
  return withoutEmpty({
    search: readText(search['search']),
    status: readChoice(search['status'], keysOf(STATUS_FILTERS)),
    type: readChoice(search['type'], keysOf(CREATION_TYPES)),
    workflow: readText(search['workflow']),
    space: readText(search['space']),
    sort: sort === DEFAULT_ORDERING ? undefined : sort,
  });
}

export const hasFilter = ({ search, status, type, workflow, space }: ListSearch): boolean =>
  [search, status, type, workflow, space].some((value) => value !== undefined);
