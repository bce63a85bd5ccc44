import type { Column, Dataset } from '@millrace/client';
import { Select } from '../../../ui/field.js';
import type { ChangeSearch } from '../table/table-search.js';
import { listMetrics, SPANS } from './plan-chart.js';

interface ChartControlsProps {
  table: Dataset;
  by: Column;
  per: string;
  metric: string;
  q: string | undefined;
  onSearch: ChangeSearch;
}

const BUCKETS = ['10', '100', '1000', '10000', '100000', '1000000'];

/** What is counted, and by what. */
export function ChartControls({ table, by, per, metric, q, onSearch }: ChartControlsProps) {
  const columns = table.columns ?? [];
  const isNumber = by.type === 'bigint' || by.type === 'double';
  const spans =
    by.type === 'timestamp'
      ? SPANS.map(({ value, label }) => ({ value: value as string, label }))
      : isNumber
        ? [
            { value: '', label: 'Each value' },
            ...BUCKETS.map((value) => ({ value, label: `In steps of ${Number(value).toLocaleString('en')}` })),
          ]
        : [];
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2 text-sm">
      <Select
        aria-label="What is shown"
        className="w-auto! max-w-72"
        value={metric}
        options={listMetrics(columns, by.name)}
        onChange={(next) => onSearch({ metric: next === 'count' ? undefined : next }, true)}
      />
      <span className="text-muted">by</span>
      <Select
        aria-label="Column"
        className="w-auto! max-w-72"
        value={by.name}
        options={columns.filter(({ type }) => type !== 'json').map(({ name }) => ({ value: name, label: name }))}
        onChange={(next) => onSearch({ by: next, per: undefined, metric: undefined }, true)}
      />
      {spans.length > 0 && (
        <Select
          aria-label="Size of the groups"
          className="w-auto!"
          value={per}
          options={spans}
          onChange={(next) => onSearch({ per: next === '' ? undefined : next }, true)}
        />
      )}
      {q !== undefined && (
        <p className="min-w-0 text-muted">
          of the rows with <code className="wrap-text font-mono text-xs text-ink">{q}</code>
        </p>
      )}
    </div>
  );
}
