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

const ROW_STYLE = { height: ROW_HEIGHT };
const NUMBER_STYLE = { width: ROW_NUMBER_WIDTH };

/**
 * One row. Pinned cells stay at the left edge; the others have fixed places, so that hidden ones need no elements. All cells of
 * a window are drawn for each key that changes a filter: a cell is one element with its text, and no component.
 */
export const GridRow = memo(function GridRow({ grid, position, row, columns, activeColumn, isOpen }: GridRowProps) {
  const background = isOpen ? 'bg-selected' : 'bg-page group-hover/row:bg-hover';
  return (
    <div
      role="row"
      aria-rowindex={position + 2}
      aria-selected={isOpen || undefined}
      style={ROW_STYLE}
      className={`group/row relative flex border-b border-line contain-[layout_style] ${background}`}
    >
      <div
        role="rowheader"
        id={cellId(grid, position, 0)}
        aria-colindex={1}
        data-row={position}
        data-column={0}
        style={NUMBER_STYLE}
        className={`nums sticky left-0 z-10 border-r border-line pr-3 text-right text-xs leading-[31px] text-muted ${background} ${ring(activeColumn === 0)}`}
      >
        {formatCount(position + 1)}
      </div>
      {columns.map((column) => {
        const { text, isMissing } = formatCell(row?.[column.name], column.type);
        const { place, style } = lookOf(column);
        const muted = isMissing || text === '' ? 'text-muted' : '';
        return (
          <div
            key={column.name}
            role="gridcell"
            id={cellId(grid, position, column.position - 1)}
            aria-colindex={column.position}
            data-row={position}
            data-column={column.position - 1}
            dir="auto"
            title={text.length > 24 ? text : undefined}
            style={style}
            className={`truncate px-2.5 ${place} ${column.isPinned ? background : ''} ${muted} ${ring(activeColumn === column.position - 1)}`}
          >
            {row === undefined ? <Placeholder /> : isMissing ? '' : text === '' ? '“”' : text}
          </div>
        );
      })}
    </div>
  );
});

const Placeholder = () => <span className="inline-block h-2 w-2/3 rounded-sm bg-pressed" />;

interface ColumnLook {
  place: string;
  style: { width: number; left: number };
}

const looks = new WeakMap<PlacedColumn, ColumnLook>();

/** The parts of a cell that are the same in all rows. */
function lookOf(column: PlacedColumn): ColumnLook {
  const known = looks.get(column);
  if (known) return known;
  const { type, isPinned, width, left } = column;
  const classes = [
    isPinned ? 'sticky z-10 border-r border-line' : 'absolute top-0 h-full border-r border-line/60',
    isRightAligned(type) ? 'text-right' : 'text-start',
    type === 'text' || type === 'boolean' ? '' : 'nums',
    type === 'json' ? 'font-mono text-xs leading-[31px]' : 'text-sm leading-[31px]',
  ];
  const look = { place: classes.join(' '), style: { width, left } };
  looks.set(column, look);
  return look;
}

const ring = (isActive: boolean): string =>
  isActive
    ? 'group-focus-within/grid:ring-2 ring-1 ring-inset ring-accent-line group-focus-within/grid:ring-accent'
    : '';
