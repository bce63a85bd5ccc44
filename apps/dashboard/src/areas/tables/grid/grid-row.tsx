import { memo } from 'react';
import { formatCount } from '../../../text/format-count.js';
import type { Row } from '../rows/row-source.js';
import type { PlacedColumn } from './column-layout.js';
import { isRightAligned, formatCell } from './format-cell.js';
import { ROW_HEIGHT } from './scroll-scale.js';

export const ROW_NUMBER_WIDTH = 76;

interface GridRowProps {
  /** Id of the grid, from which cells have theirs. */
  grid: string;
  /** Position of the row, from 0. */
  position: number;
  row: Row | undefined;
  columns: readonly PlacedColumn[];
  /** The column of the active cell, if it is in this row. */
  activeColumn: number | undefined;
  isOpen: boolean;
}

export const cellId = (grid: string, row: number, column: number): string => `${grid}-${row}-${column}`;

/** One row. Pinned cells stay at the left edge; the others have fixed places, so that hidden ones need no elements. */
export const GridRow = memo(function GridRow({ grid, position, row, columns, activeColumn, isOpen }: GridRowProps) {
  const background = isOpen ? 'bg-selected' : 'bg-page group-hover/row:bg-hover';
  return (
    <div
      role="row"
      aria-rowindex={position + 2}
      aria-selected={isOpen || undefined}
      style={{ height: ROW_HEIGHT }}
      className={`group/row relative flex border-b border-line ${background}`}
    >
      <div
        role="rowheader"
        id={cellId(grid, position, 0)}
        aria-colindex={1}
        data-row={position}
        data-column={0}
        style={{ width: ROW_NUMBER_WIDTH }}
        className={`nums sticky left-0 z-10 flex items-center justify-end border-r border-line pr-3 text-xs text-muted ${background} ${ring(activeColumn === 0)}`}
      >
        {formatCount(position + 1)}
      </div>
      {columns.map((column) => (
        <Cell
          key={column.name}
          id={cellId(grid, position, column.position - 1)}
          position={position}
          column={column}
          row={row}
          isActive={activeColumn === column.position - 1}
          background={background}
        />
      ))}
    </div>
  );
});

interface CellProps {
  id: string;
  position: number;
  column: PlacedColumn;
  row: Row | undefined;
  isActive: boolean;
  background: string;
}

function Cell({ id, position, column, row, isActive, background }: CellProps) {
  const { text, isMissing } = formatCell(row?.[column.name], column.type);
  const place = column.isPinned
    ? `sticky z-10 border-r border-line ${background}`
    : 'absolute top-0 h-full border-r border-line/60';
  const look = isMissing || text === '' ? 'text-muted' : '';
  const font = column.type === 'text' || column.type === 'boolean' ? '' : 'nums';
  return (
    <div
      role="gridcell"
      id={id}
      aria-colindex={column.position}
      data-row={position}
      data-column={column.position - 1}
      style={{ width: column.width, left: column.left }}
      className={`flex items-center px-2.5 text-sm ${place} ${look} ${font} ${ring(isActive)}`}
    >
      {row === undefined ? (
        <span className="h-2 w-2/3 rounded-sm bg-pressed" />
      ) : (
        <span
          dir="auto"
          title={text.length > 24 ? text : undefined}
          className={`min-w-0 flex-1 truncate ${isRightAligned(column.type) ? 'text-right' : 'text-start'} ${column.type === 'json' ? 'font-mono text-xs' : ''}`}
        >
          {isMissing ? '' : text === '' ? '“”' : text}
        </span>
      )}
    </div>
  );
}

const ring = (isActive: boolean): string =>
  isActive
    ? 'group-focus-within/grid:ring-2 ring-1 ring-inset ring-accent-line group-focus-within/grid:ring-accent'
    : '';
