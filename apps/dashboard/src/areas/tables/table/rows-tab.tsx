import { useMemo, useState } from 'react';
import type { Dataset, View } from '@millrace/client';
import { ErrorNote } from '../../../ui/error-note.js';
import { DataGrid } from '../grid/data-grid.js';
import { useColumnLayout } from '../grid/use-column-layout.js';
import { nextOrder, readOrder, writeOrder } from '../query/read-order.js';
import type { RowQuery } from '../rows/row-query.js';
import { useRowSource } from '../rows/use-row-source.js';
import type { ChangeSearch, TableSearch } from './table-search.js';

interface RowsTabProps {
  table: Dataset;
  view?: View;
  search: TableSearch;
  onSearch: ChangeSearch;
}

export function RowsTab({ table, view, search, onSearch }: RowsTabProps) {
  const { q = '', order = '', row } = search;
  const [version] = useState(0);
  const layout = useColumnLayout(table.id, table.columns, search.columns, (columns) => onSearch({ columns }, true));
  const query: RowQuery = {
    table: table.id,
    ...(view && { view: { solution: view.solution, id: view.id } }),
    q,
    order,
    select: layout.select,
    isSorted: order !== '' || Boolean(view?.order),
  };
  const rows = useRowSource(query, version);
  const items = useMemo(() => readOrder(order), [order]);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {rows.error !== undefined && <ErrorNote error={rows.error} onRetry={rows.retry} />}
      <DataGrid
        label={`Rows of ${table.name}`}
        columns={layout.columns}
        widths={layout.widths}
        pinned={layout.pinned}
        source={rows.source}
        count={rows.room}
        isCountExact={rows.isRoomExact}
        order={items}
        openRow={row}
        isStale={rows.isStale}
        onResize={layout.resize}
        onMove={layout.move}
        onSort={(column) => onSearch({ order: writeOrder(nextOrder(items, column)) })}
        onOpenRow={(position) => onSearch({ row: String(rows.source.find(position)?.['_row']) })}
        onCellMenu={() => undefined}
        onHeaderMenu={() => undefined}
        onCopy={() => undefined}
      />
    </div>
  );
}
