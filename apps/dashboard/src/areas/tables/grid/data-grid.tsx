import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useStore } from '../../../store/create-store.js';
import type { SortItem } from '../query/read-order.js';
import type { RowSource } from '../rows/row-source.js';
import { type ColumnLayout, type GridColumn, placeColumns, scrollToColumn, visibleColumns } from './column-layout.js';
import { GridHeader } from './grid-header.js';
import { cellId, GridRow, ROW_NUMBER_WIDTH } from './grid-row.js';
import { type CellPosition, moveCell } from './move-cell.js';
import { offsetOfRow, ROW_HEIGHT, rowsAt } from './scroll-scale.js';
import { useGridScroll } from './use-grid-scroll.js';

export interface CellTarget {
  row: number;
  column: GridColumn;
  /** The element of the cell, where a menu opens. */
  element: HTMLElement;
}

interface DataGridProps {
  label: string;
  columns: readonly GridColumn[];
  widths: Readonly<Record<string, number>>;
  pinned: readonly string[];
  source: RowSource;
  /** Rows that the grid has room for. */
  count: number;
  /** Whether `count` is the number of all rows. */
  isCountExact: boolean;
  order: readonly SortItem[];
  /** Number (`_row`) of the row that is open beside the grid. */
  openRow: string | undefined;
  /** Whether the rows are those of an earlier query. */
  isStale: boolean;
  /** What is known about a column, while the pointer is over its head. It stays the same function. */
  renderFacts: (column: GridColumn) => ReactNode;
  onResize: (column: string, width: number) => void;
  onMove: (moved: string, target: string) => void;
  /** @param isAdded whether the rows stay sorted by the other columns */
  onSort: (column: string, isAdded: boolean) => void;
  onOpenRow: (position: number) => void;
  onCellMenu: (target: CellTarget) => void;
  onHeaderMenu: (target: CellTarget) => void;
  onCopy: (target: CellTarget) => void;
}

const OVERSCAN_ROWS = 6;

/** A grid of any number of rows and columns, of which only the visible ones have elements. */
export function DataGrid(props: DataGridProps) {
  const { label, columns, widths, pinned, source, count, isCountExact, order, openRow, isStale } = props;
  const { onResize, onMove } = props;
  const grid = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<CellPosition>({ row: 0, column: 1 });
  const layout = useMemo(() => placeColumns(columns, widths, pinned, ROW_NUMBER_WIDTH), [columns, widths, pinned]);
  const { viewport, scale, scrollTo, onScroll } = useGridScroll(scroller, count);
  const { index } = useStore(source.state);
  const { first, last } = rowsAt(viewport.offset, viewport.height, count);
  const shown = useVisibleColumns(layout, viewport.scrollLeft, viewport.width);

  useEffect(() => {
    if (viewport.height > 0) source.show({ first, last });
  }, [source, first, last, viewport.height]);
  useLayoutEffect(() => {
    scrollTo(0);
    setActive((old) => (old.row === 0 ? old : { row: 0, column: old.column }));
  }, [source, scrollTo]);

  const activate = (next: CellPosition) => {
    setActive(next);
    const offset = next.row < 0 ? viewport.offset : offsetOfRow(next.row, viewport.offset, viewport.height);
    scrollTo(offset, scrollToColumn(layout, next.column - 1, viewport.scrollLeft, viewport.width));
  };
  const targetOf = ({ row, column }: CellPosition): CellTarget | undefined => {
    const element = document.getElementById(cellId(grid, row, column));
    const placed = layout.columns[column - 1];
    return element && placed ? { row, column: placed, element } : undefined;
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.target !== scroller.current) return;
    const isFar = event.ctrlKey || event.metaKey;
    const page = Math.max(1, Math.floor(viewport.height / ROW_HEIGHT) - 1);
    const next = moveCell(active, event.key, isFar, { rows: count, columns: layout.columns.length, page });
    if (next) {
      event.preventDefault();
      return activate(next);
    }
    const target = targetOf(active);
    const isMenuKey = event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10');
    if (isFar && event.key.toLowerCase() === 'c' && target) props.onCopy(target);
    else if (event.key === 'Enter' && active.row >= 0) props.onOpenRow(active.row);
    else if ((event.key === 'Enter' || isMenuKey) && active.row < 0 && target) props.onHeaderMenu(target);
    else if (event.key === ' ' && active.row < 0 && target) props.onSort(target.column.name, event.shiftKey);
    else if ((event.key === ' ' || isMenuKey) && target) props.onCellMenu(target);
    else return;
    event.preventDefault();
  };

  const onPointer = (event: MouseEvent) => {
    const element = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-column]') : null;
    if (!element || (event.target instanceof Element && event.target.closest('[data-resize]'))) return;
    const position = { row: Number(element.dataset['row']), column: Number(element.dataset['column']) };
    const target = targetOf(position);
    setActive(position);
    scroller.current?.focus({ preventScroll: true });
    const isMenu =
      event.type === 'contextmenu' || (event.target instanceof Element && event.target.closest('[data-menu]'));
    if (event.type === 'contextmenu') event.preventDefault();
    if (position.row >= 0 && position.column === 0) props.onOpenRow(position.row);
    else if (!target) return;
    else if (position.row < 0 && isMenu) props.onHeaderMenu(target);
    else if (position.row < 0) props.onSort(target.column.name, event.shiftKey);
    else if (isMenu || !isSelectingText()) props.onCellMenu(target);
  };

  const from = Math.max(0, first - OVERSCAN_ROWS);
  const to = Math.min(count - 1, last + OVERSCAN_ROWS);
  const isActiveShown = active.row < 0 || (active.row >= from && active.row <= to);
  return (
    <div
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={isCountExact ? count + 1 : -1}
      aria-colcount={layout.columns.length + 1}
      aria-busy={isStale || undefined}
      aria-activedescendant={isActiveShown ? cellId(grid, active.row, active.column) : undefined}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      onClick={onPointer}
      onContextMenu={onPointer}
      onDoubleClick={() => active.row >= 0 && props.onOpenRow(active.row)}
      className="group/grid relative min-h-0 min-w-0 flex-1 overflow-auto bg-page outline-none"
    >
      <div role="rowgroup" style={{ width: layout.totalWidth }} className="sticky top-0 z-20 min-w-full bg-panel">
        <GridHeader
          grid={grid}
          columns={shown}
          order={order}
          activeColumn={active.row < 0 ? active.column : undefined}
          onResize={onResize}
          onMove={onMove}
          renderFacts={props.renderFacts}
        />
      </div>
      <div
        role="rowgroup"
        style={{ width: layout.totalWidth, height: scale.height }}
        className={`relative transition-opacity duration-150 ${isStale ? 'opacity-50' : ''}`}
      >
        <div
          role="presentation"
          style={{ transform: `translateY(${viewport.scrollTop + from * ROW_HEIGHT - viewport.offset}px)` }}
          className="absolute inset-x-0 top-0"
        >
          {index.length > 0 &&
            range(from, to).map((position) => {
              const row = source.find(position);
              return (
                <GridRow
                  key={position}
                  grid={grid}
                  position={position}
                  row={row}
                  columns={shown}
                  activeColumn={active.row === position ? active.column : undefined}
                  isOpen={openRow !== undefined && String(row?.['_row']) === openRow}
                />
              );
            })}
        </div>
      </div>
    </div>
  );
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);

const isSelectingText = (): boolean => (getSelection()?.toString() ?? '') !== '';

/** The visible columns. The array stays the same while the same columns are visible, so that rows need not be drawn again. */
function useVisibleColumns(layout: ColumnLayout, scrollLeft: number, width: number) {
  const visible = visibleColumns(layout, scrollLeft, width);
  const first = visible.find(({ isPinned }) => !isPinned)?.position;
  const end = visible.at(-1)?.position;
  return useMemo(
    () =>
      layout.columns.filter(
        ({ isPinned, position }) =>
          isPinned || (first !== undefined && end !== undefined && position >= first && position <= end),
      ),
    [layout, first, end],
  );
}
