import { useQuery } from '@tanstack/react-query';
import { client } from '../../../api/client.js';
import { writeColumn } from '../query/write-query.js';
import type { GridColumn } from './column-layout.js';

interface ColumnFactsProps {
  table: string;
  /** The condition of the rows whose share of empty values is shown. */
  q: string;
  column: GridColumn;
}

/** The type of a column, and how many of its values are missing. */
export function ColumnFacts({ table, q, column }: ColumnFactsProps) {
  const counted = `count(${writeColumn(column.name)})`;
  const share = useQuery({
    queryKey: ['tables', 'empty', table, q, column.name],
    queryFn: async ({ signal }) => {
      const query = { metrics: `count,${counted}`, ...(q !== '' && { q }) };
      const { results, columns } = await client.rows.aggregate(table, query, { signal });
      const [all = 0, filled = 0] = columns.map((one) => Number(results[0]?.[one.name]));
      return all === 0 ? null : 1 - filled / all;
    },
    staleTime: 60_000,
  });
  return (
    <span className="nums">
      {column.type}
      {column.isKey && ' · part of the key'}
      {share.data !== undefined && share.data !== null && ` · ${formatShare(share.data)} empty`}
      {share.isPending && ' · …'}
    </span>
  );
}

function formatShare(share: number): string {
  if (share > 0 && share < 0.01) return 'less than 1 %';
  if (share < 1 && share > 0.99) return 'more than 99 %';
  return `${Math.round(share * 100)} %`;
}
