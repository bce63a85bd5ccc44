import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { Column, Dataset } from '@millrace/client';
import { client } from '../../../api/client.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { writeIs } from '../filter/write-filter.js';
import { addCondition } from '../query/write-query.js';
import type { ChangeSearch, TableSearch } from '../table/table-search.js';
import { ChartControls } from './chart-controls.js';
import { chooseColumn, chooseSpan, TIME_GROUPS, VALUE_GROUPS, writeGroup } from './plan-chart.js';
import { ValueBars } from './value-bars.js';

const TimeChart = lazy(() => import('./time-chart.js').then(({ TimeChart: component }) => ({ default: component })));

interface ChartTabProps {
  table: Dataset;
  search: TableSearch;
  onSearch: ChangeSearch;
}

/** The rows of the query in groups: by the values of a column, or over time. */
export function ChartTab({ table, search, onSearch }: ChartTabProps) {
  const columns = table.columns ?? [];
  const by = columns.find(({ name }) => name === search.by) ?? chooseColumn(columns);
  if (!by || table.row_count === 0)
    return (
      <EmptyState icon="chart" title="Nothing to draw yet">
        As soon as the table has rows, you see here how many there are by value or over time.
      </EmptyState>
    );
  return <ChartOf key={by.name} table={table} by={by} search={search} onSearch={onSearch} />;
}

function ChartOf({ table, by, search, onSearch }: ChartTabProps & { by: Column }) {
  const { q, metric = 'count' } = search;
  const isTime = by.type === 'timestamp';
  const span = useQuery({ ...spanQuery(table.id, by.name, q), enabled: isTime && search.per === undefined });
  const per = search.per ?? (isTime ? span.data : '');
  const group = writeGroup(by.name, per ?? '');
  const groups = useQuery({
    queryKey: ['tables', 'chart', table.id, q, group, metric],
    queryFn: async ({ signal }) => {
      const {
        results: found,
        columns,
        more,
      } = await client.rows.aggregate(
        table.id,
        {
          group_by: group,
          metrics: metric,
          order: isTime || per !== '' ? group : `-${metric}`,
          limit: isTime ? TIME_GROUPS : VALUE_GROUPS,
          ...(q !== undefined && { q }),
        },
        { signal },
      );
      // The response has the group first, under a name without quotes, and then the metric.
      const [groupName = '', metricName = ''] = columns.map(({ name }) => name);
      return { bars: found.map((one) => ({ value: one[groupName], amount: Number(one[metricName] ?? 0) })), more };
    },
    enabled: per !== undefined,
    placeholderData: keepPreviousData,
  });
  const results = groups.data?.bars;
  const error = groups.error ?? span.error;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-6 py-4 max-sm:px-4">
      <ChartControls table={table} by={by} per={per ?? ''} metric={metric} q={q} onSearch={onSearch} />
      {error && <ErrorNote error={error} onRetry={() => void groups.refetch()} />}
      {!results && !error && <Skeleton />}
      {results && isTime && (
        <Suspense fallback={<Skeleton />}>
          <TimeChart label={`${metric} by ${by.name}`} points={results} />
        </Suspense>
      )}
      {results && !isTime && (
        <ValueBars
          type={by.type}
          bars={results}
          hasMore={groups.data?.more ?? false}
          {...(per === '' && {
            onChoose: (value: unknown) => onSearch({ tab: undefined, q: addCondition(q ?? '', writeIs(by, value)) }),
          })}
        />
      )}
    </div>
  );
}

const spanQuery = (table: string, column: string, q: string | undefined) => ({
  queryKey: ['tables', 'span', table, column, q],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const name = writeGroup(column, '');
    const query = { metrics: `min(${name}),max(${name})`, ...(q !== undefined && { q }) };
    const { results, columns } = await client.rows.aggregate(table, query, { signal });
    const [from, to] = columns.map((one) => results[0]?.[one.name]);
    return typeof from === 'string' && typeof to === 'string' ? chooseSpan(new Date(from), new Date(to)) : '1d';
  },
});
