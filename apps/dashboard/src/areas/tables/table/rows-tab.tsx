import { useCallback, useMemo, useRef, useState } from 'react';
import type { Dataset, View } from '@millrace/client';
import { formatCount } from '../../../text/format-count.js';
import { CellMenu, copyCell, type OpenCell } from '../filter/cell-menu.js';
import { ValuesDialog } from '../filter/values-dialog.js';
import { ColumnFacts } from '../grid/column-facts.js';
import type { GridColumn } from '../grid/column-layout.js';
import { type CellTarget, DataGrid } from '../grid/data-grid.js';
import { formatValue } from '../grid/format-cell.js';
import { HeaderMenu } from '../grid/header-menu.js';
import { useColumnLayout } from '../grid/use-column-layout.js';
import { nextOrder, readOrder, type SortItem, writeOrder } from '../query/read-order.js';
import { readProblem } from '../query/read-problem.js';
import { addCondition, joinQueries } from '../query/write-query.js';
import { RowPanel } from '../row/row-panel.js';
import type { RowQuery } from '../rows/row-query.js';
import { sortOf } from '../rows/sort-of.js';
import { useRowSource } from '../rows/use-row-source.js';
import { RowsError } from './rows-error.js';
import { RowsToolbar } from './rows-toolbar.js';
import type { ChangeSearch, TableSearch } from './table-search.js';

interface RowsTabProps {
  table: Dataset;
  view?: View;
  search: TableSearch;
  onSearch: ChangeSearch;
}

/** The rows of a table or of a view. */
export function RowsTab({ table, view, search, onSearch }: RowsTabProps) {
  const { q = '', order = '', row } = search;
  const [version, setVersion] = useState(0);
  const [loadedDate, setLoadedDate] = useState(table.loaded_date);
  const [cell, setCell] = useState<OpenCell>();
  const [header, setHeader] = useState<CellTarget & { place: DOMRect }>();
  const [valuesOf, setValuesOf] = useState<CellTarget['column']>();
  const [openAt, setOpenAt] = useState<number>();
  const area = useRef<HTMLDivElement>(null);
  const chosenColumns = search.columns ?? view?.select;
  const layout = useColumnLayout(view?.id ?? table.id, table.columns, chosenColumns, (columns) =>
    onSearch({ columns }, true),
  );
  const shownOrder = order === '' ? (view?.order ?? '') : order;
  const query: RowQuery = {
    table: table.id,
    ...(view && { view: { solution: view.solution, id: view.id } }),
    q,
    order,
    select: layout.select,
    sort: sortOf(shownOrder, table.columns),
  };
  const rows = useRowSource(query, version);
  const items = useMemo(() => readOrder(shownOrder), [shownOrder]);
  const apply = (next: string) => void rows.changeQuery({ q: next }, () => onSearch({ q: next }));
  const refresh = () => {
    setLoadedDate(table.loaded_date);
    setVersion(version + 1);
  };
  const sort = (next: readonly SortItem[]) => {
    const changed = writeOrder(next);
    const sorted = sortOf(changed || (view?.order ?? ''), table.columns);
    void rows.changeQuery({ order: changed, sort: sorted }, () => onSearch({ order: changed }));
  };
  const filter = (condition: string) => apply(addCondition(q, condition));
  const valueAt = ({ row: position, column }: CellTarget) => rows.source.find(position)?.[column.name];
  const numberAt = (position: number) => {
    const number = rows.source.find(position)?.['_row'];
    return number === undefined ? undefined : formatValue(number);
  };
  const openRow = (position: number, replace = false) => {
    const number = numberAt(position);
    if (number === undefined) return;
    setOpenAt(position);
    onSearch({ row: number }, replace);
  };
  // After a reload the row is open, and its place among the others is unknown.
  const isPlaceKnown = openAt !== undefined && row !== undefined && numberAt(openAt) === row;
  const place = (target: CellTarget) => ({ ...target, place: target.element.getBoundingClientRect() });
  const grid = () => area.current?.querySelector<HTMLElement>('[role=grid]') ?? null;
  const fullQuery = joinQueries(view?.q ?? '', q);
  const problem = readProblem(rows.error);
  const renderFacts = useCallback(
    (column: GridColumn) => <ColumnFacts table={table.id} q={fullQuery} column={column} />,
    [table.id, fullQuery],
  );
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <RowsToolbar
        table={table}
        view={view}
        q={q}
        order={order}
        layout={layout}
        problem={problem}
        rows={rows}
        onApply={(next) => (next === q ? refresh() : apply(next))}
        hasNewRows={table.loaded_date !== loadedDate}
        onRefresh={refresh}
      />
      {rows.error !== undefined && !problem && (
        <RowsError
          error={rows.error}
          table={table.id}
          onRetry={rows.retry}
          {...(order !== '' && { onRemoveSort: () => onSearch({ order: undefined }) })}
        />
      )}
      <div ref={area} className="relative flex min-h-0 flex-1 border-t border-line">
        {rows.isReady && rows.room === 0 && (
          <p className="pointer-events-none absolute inset-x-0 top-20 z-10 text-center text-sm text-muted">
            {fullQuery === '' ? 'The table has no rows.' : 'No row matches the query.'}
          </p>
        )}
        {rows.passing !== undefined && (
          <p className="nums pointer-events-none absolute right-6 bottom-4 z-30 rounded-md bg-raised px-3 py-1.5 text-xs text-muted shadow-float">
            Reading all rows up to row {formatCount(rows.passing + 1)}, because this order does not tell where it is
          </p>
        )}
        <DataGrid
          label={`Rows of ${view?.name ?? table.name}`}
          columns={layout.columns}
          widths={layout.widths}
          pinned={layout.pinned}
          source={rows.source}
          count={rows.room}
          isCountExact={rows.isRoomExact}
          order={items}
          openRow={row}
          isStale={rows.isStale && rows.error === undefined}
          renderFacts={renderFacts}
          onResize={layout.resize}
          onMove={layout.move}
          onSort={(column, isAdded) => sort(nextOrder(items, column, isAdded))}
          onOpenRow={(position) => openRow(position)}
          onCellMenu={(target) => setCell({ ...place(target), value: valueAt(target) })}
          onHeaderMenu={(target) => setHeader(place(target))}
          onCopy={(target) => void copyCell(valueAt(target))}
        />
        {row !== undefined && (
          <RowPanel
            table={table}
            row={row}
            onClose={() => onSearch({ row: undefined })}
            {...(isPlaceKnown && { onStep: (step: number) => openRow(openAt + step, true) })}
          />
        )}
      </div>
      {cell && (
        <CellMenu
          cell={cell}
          grid={grid()}
          onFilter={filter}
          onOpenRow={() => openRow(cell.row)}
          onClose={() => setCell(undefined)}
        />
      )}
      {header && (
        <HeaderMenu
          table={table.id}
          q={fullQuery}
          header={header}
          layout={layout}
          order={items}
          grid={grid()}
          onSort={sort}
          onFilter={filter}
          onShowValues={() => setValuesOf(header.column)}
          onClose={() => setHeader(undefined)}
        />
      )}
      {valuesOf && (
        <ValuesDialog
          table={table.id}
          column={valuesOf}
          q={fullQuery}
          onFilter={filter}
          onClose={() => setValuesOf(undefined)}
        />
      )}
    </div>
  );
}
