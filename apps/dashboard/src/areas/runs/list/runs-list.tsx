import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { countOf } from '../../../text/format-count.js';
import { Button } from '../../../ui/button.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { hasFilter, type ListSearch } from './list-search.js';
import { RunFilters } from './run-filters.js';
import { runsQuery } from './runs-query.js';
import { RunsTable } from './runs-table.js';
import { useLiveRows } from './use-live-rows.js';

interface RunsListProps {
  /** What the address chooses. */
  search: ListSearch;
  onSearch: (search: ListSearch) => void;
  /** The workflow whose runs are listed; all if absent. */
  workflow?: string;
  selected?: readonly string[];
  onSelect?: (ids: string[]) => void;
  /** Shown if there is no run at all. */
  empty: ReactNode;
}

export function RunsList({ search, onSearch, workflow, selected, onSelect, empty }: RunsListProps) {
  const scope: ListSearch = workflow === undefined ? search : { ...search, workflow };
  const list = useInfiniteQuery({ ...runsQuery(scope), placeholderData: keepPreviousData });
  const runs = list.data?.pages.flatMap(({ results }) => results) ?? [];
  useLiveRows(scope, runs);
  const count = list.data?.pages[0]?.count ?? 0;
  if (list.data && count === 0 && !hasFilter(search)) return empty;
  return (
    <div className="flex flex-col gap-3 px-6 max-sm:px-4">
      <RunFilters search={search} onChange={onSearch} isGlobal={workflow === undefined} />
      {list.error && !list.data && (
        <ErrorNote error={list.error} onRetry={() => void list.refetch()} className="mt-0" />
      )}
      {list.isLoading && <Skeleton rows={10} />}
      {list.data && count === 0 && (
        <EmptyState
          icon="filter"
          title="No run matches"
          actions={<Button onClick={() => onSearch({})}>Clear the filters</Button>}
        >
          No run has what the filters require.
        </EmptyState>
      )}
      {runs.length > 0 && (
        <>
          <RunsTable
            runs={runs}
            withWorkflow={workflow === undefined}
            {...(selected && { selected })}
            {...(onSelect && { onSelect })}
          />
          <div className="flex items-center gap-3 text-sm text-muted">
            <span role="status">
              {list.hasNextPage ? `${runs.length} of ${countOf(count, 'run')}` : countOf(count, 'run')}
            </span>
            {list.hasNextPage && (
              <Button isPending={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                Show more
              </Button>
            )}
            {list.isFetchNextPageError && <ErrorNote error={list.error} className="mt-0" />}
          </div>
        </>
      )}
    </div>
  );
}
