import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Dataset } from '@millrace/client';
import { formatCount } from '../../../text/format-count.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { Tabs } from '../../../ui/tabs.js';
import { Time } from '../../../ui/time.js';
import type { ChangeSearch, TableSearch } from '../table/table-search.js';
import { type ChangeRange, latestChangesQuery, pairQuery } from './change-queries.js';
import { ChangesOfKind } from './changes-of-kind.js';
import type { ChangeKind } from './compare-rows.js';
import { RunSelect } from './run-select.js';

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

/** What a run changed in the table, or how its rows differ between two runs. */
export function ChangesTab({ table, search, onSearch }: ChangesTabProps) {
  const latest = useQuery(latestChangesQuery(table.id, search.run));
  if (latest.error)
    return <ErrorNote error={latest.error} onRetry={() => void latest.refetch()} className="mx-6 max-sm:mx-4" />;
  if (!latest.data) return <Skeleton />;
  const { run, at, counts } = latest.data;
  if (run === undefined) return <NoChanges />;
  const since = search.since === run ? undefined : search.since;
  const range: ChangeRange = { table: table.id, run, since };
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 px-6 py-2.5 text-sm max-sm:px-4">
        <RunSelect
          label="Run whose changes are shown"
          table={table.id}
          run={run}
          onChange={(next) => onSearch({ run: next, kind: undefined })}
        />
        <span className="text-muted">compared with</span>
        <RunSelect
          label="Run to compare with"
          table={table.id}
          run={since ?? ''}
          none="the rows before it"
          except={run}
          onChange={(next) => onSearch({ run, since: next, kind: undefined })}
        />
        <Link to="/runs/$runId" params={{ runId: run }} className="link">
          Open the run
        </Link>
        {since !== undefined && (
          <Link to="/runs/$runId" params={{ runId: since }} className="link">
            Open run {since}
          </Link>
        )}
        {at !== undefined && (
          <span className="text-muted">
            Loaded <Time value={at} />
          </span>
        )}
      </div>
      {since === undefined ? (
        <ChangeTabs {...{ table, range, counts, search, onSearch }} />
      ) : (
        <ChangesOfPair table={table} range={{ ...range, since }} search={search} onSearch={onSearch} />
      )}
    </>
  );
}

interface PartProps extends ChangesTabProps {
  range: ChangeRange;
}

function ChangesOfPair({ range, ...props }: PartProps & { range: { since: string } }) {
  const pair = useQuery(pairQuery(range.table, range.since, range.run));
  if (pair.error)
    return <ErrorNote error={pair.error} onRetry={() => void pair.refetch()} className="mx-6 max-sm:mx-4" />;
  if (pair.data === undefined) return <Skeleton />;
  const counts = pair.data?.counts;
  if (counts) return <ChangeTabs {...props} range={range} counts={counts} />;
  return (
    <p className="px-6 py-10 text-center text-sm text-muted">
      {pair.data?.message ?? 'Neither of the two runs loaded rows into this table.'}
    </p>
  );
}

interface ChangeTabsProps extends PartProps {
  counts: Record<ChangeKind, number>;
}

function ChangeTabs({ table, range, counts, search, onSearch }: ChangeTabsProps) {
  const kind = search.kind ?? KINDS.find(({ value }) => counts[value] > 0)?.value ?? 'new';
  return (
    <Tabs
      label="Kind of change"
      tabs={KINDS.map((one) => ({ ...one, count: formatCount(counts[one.value]) }))}
      value={kind}
      onChange={(next) => onSearch({ kind: next }, true)}
      className="px-6 max-sm:px-4"
      panelClassName="flex min-h-0 flex-1 flex-col"
    >
      <ChangesOfKind
        key={`${range.since ?? ''} ${range.run} ${kind}`}
        table={table}
        range={range}
        kind={kind}
        onOpenRow={(row) => onSearch({ row })}
      />
    </Tabs>
  );
}

const NoChanges = () => (
  <EmptyState icon="gitCompare" title="No run has loaded rows yet">
    Bind an output of a workflow to this table. Then you see here which rows each run added and changed, and which are
    gone. Uploads have no list of changes.
  </EmptyState>
);
