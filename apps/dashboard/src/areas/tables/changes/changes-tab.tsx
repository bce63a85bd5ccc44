import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Dataset } from '@millrace/client';
import { client } from '../../../api/client.js';
import { formatCount } from '../../../text/format-count.js';
import { Button } from '../../../ui/button.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { Tabs } from '../../../ui/tabs.js';
import { Time } from '../../../ui/time.js';
import type { ChangeSearch, TableSearch } from '../table/table-search.js';
import { ChangeTable } from './change-table.js';
import type { ChangeKind } from './compare-rows.js';
import { RunSelect } from './run-select.js';

const PAGE_SIZE = 100;

const KINDS = [
  { value: 'new', label: 'New' },
  { value: 'changed', label: 'Changed' },
  { value: 'gone', label: 'Gone' },
] as const satisfies { value: ChangeKind; label: string }[];

interface ChangesTabProps {
  table: Dataset;
  search: TableSearch;
  onSearch: ChangeSearch;
}

/** What a run changed in the table. */
export function ChangesTab({ table, search, onSearch }: ChangesTabProps) {
  const { run } = search;
  const summary = useQuery({
    queryKey: ['tables', 'changes', table.id, run],
    queryFn: async ({ signal }) =>
      await client.rows.changes(table.id, { page_size: 1, ...(run !== undefined && { run }) }, { signal }),
  });
  if (summary.error)
    return <ErrorNote error={summary.error} onRetry={() => void summary.refetch()} className="mx-6 max-sm:mx-4" />;
  if (!summary.data) return <Skeleton />;
  const { run: shownRun, at, counts } = summary.data;
  if (shownRun === undefined) return <NoChanges />;
  const kind = search.kind ?? KINDS.find(({ value }) => counts[value] > 0)?.value ?? 'new';
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 px-6 py-2.5 text-sm max-sm:px-4">
        <RunSelect table={table.id} run={shownRun} onChange={(next) => onSearch({ run: next, kind: undefined })} />
        <Link to="/runs/$runId" params={{ runId: shownRun }} className="link">
          Open the run
        </Link>
        {at !== undefined && (
          <span className="text-muted">
            Loaded <Time value={at} />
          </span>
        )}
      </div>
      <Tabs
        label="Kind of change"
        tabs={KINDS.map((one) => ({ ...one, count: formatCount(counts[one.value]) }))}
        value={kind}
        onChange={(next) => onSearch({ kind: next }, true)}
        className="px-6 max-sm:px-4"
        panelClassName="flex min-h-0 flex-1 flex-col"
      >
        <ChangesOfKind key={`${shownRun} ${kind}`} table={table} run={shownRun} kind={kind} onSearch={onSearch} />
      </Tabs>
    </>
  );
}

interface ChangesOfKindProps {
  table: Dataset;
  run: string;
  kind: ChangeKind;
  onSearch: ChangeSearch;
}

function ChangesOfKind({ table, run, kind, onSearch }: ChangesOfKindProps) {
  const changes = useInfiniteQuery({
    queryKey: ['tables', 'changes', table.id, run, kind],
    queryFn: async ({ pageParam, signal }) =>
      await client.rows.changes(
        table.id,
        { run, kind, page_size: PAGE_SIZE, ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  });
  if (changes.error) return <ErrorNote error={changes.error} onRetry={() => void changes.refetch()} className="mx-6" />;
  if (!changes.data) return <Skeleton />;
  const all = changes.data.pages.flatMap(({ results }) => results);
  if (all.length === 0) return <p className="px-6 py-10 text-center text-sm text-muted">{NOTHING[kind]}</p>;
  return (
    <div className="min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label="Changes">
      <ChangeTable table={table} kind={kind} changes={all} onOpenRow={(row) => onSearch({ row })} />
      {changes.hasNextPage && (
        <Button
          className="m-3 ml-6"
          isPending={changes.isFetchingNextPage}
          onClick={() => void changes.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </div>
  );
}

const NOTHING: Record<ChangeKind, string> = {
  new: 'This run brought no new rows.',
  changed: 'This run changed no rows.',
  gone: 'No row is gone after this run.',
};

const NoChanges = () => (
  <EmptyState icon="gitCompare" title="No run has loaded rows yet">
    Bind an output of a workflow to this table. Then you see here which rows each run added and changed, and which are
    gone. Uploads have no list of changes.
  </EmptyState>
);
