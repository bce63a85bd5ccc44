import { type DragEvent, memo, type ReactNode, useEffect, useState } from 'react';
import { Icon, type IconName } from '../../../ui/icon.js';
import type { SortItem } from '../query/read-order.js';
import type { ColumnType, GridColumn, PlacedColumn } from './column-layout.js';
import { cellId, ROW_NUMBER_WIDTH } from './grid-row.js';
import { ResizeHandle } from './resize-handle.js';
import { HEADER_HEIGHT } from './use-grid-scroll.js';

interface GridHeaderProps {
  grid: string;
  columns: readonly PlacedColumn[];
  order: readonly SortItem[];
  activeColumn: number | undefined;
  onResize: (column: string, width: number) => void;
  onMove: (moved: string, target: string) => void;
  /** What is known about a column, below its head while the pointer is over it. */
  renderFacts: (column: GridColumn) => ReactNode;
}

export const GridHeader = memo(function GridHeader(props: GridHeaderProps) {
  const { grid, columns, order, activeColumn, onResize, onMove, renderFacts } = props;
  return (
    <div
      role="row"
      aria-rowindex={1}
      style={{ height: HEADER_HEIGHT }}
      className="relative flex border-b border-line bg-panel select-none"
    >
      <div
        role="columnheader"
        id={cellId(grid, -1, 0)}
        aria-colindex={1}
        data-row={-1}
        data-column={0}
        style={{ width: ROW_NUMBER_WIDTH }}
        className={`sticky left-0 z-10 flex items-center justify-end border-r border-line bg-panel pr-3 text-xs text-muted ${activeColumn === 0 ? RING : ''}`}
      >
        Row
      </div>
      {columns.map((column) => (
        <HeaderCell
          key={column.name}
          id={cellId(grid, -1, column.position - 1)}
          column={column}
          sort={order.find((item) => item.column === column.name)}
          rank={order.length > 1 ? order.findIndex((item) => item.column === column.name) + 1 : 0}
          isActive={activeColumn === column.position - 1}
          onResize={onResize}
          onMove={onMove}
          renderFacts={renderFacts}
        />
      ))}
    </div>
  );
});

const RING = 'ring-1 ring-inset ring-accent-line group-focus-within/grid:ring-2 group-focus-within/grid:ring-accent';
const DRAG_TYPE = 'application/x-millrace-column';

interface HeaderCellProps extends Pick<GridHeaderProps, 'onResize' | 'onMove' | 'renderFacts'> {
  id: string;
  column: PlacedColumn;
  sort: SortItem | undefined;
  /** The place of the column among several that sort the rows, from 1; 0 if there are no others. */
  rank: number;
  isActive: boolean;
}

function HeaderCell({ id, column, sort, rank, isActive, onResize, onMove, renderFacts }: HeaderCellProps) {
  const { name, type, isPinned, isKey, width, left } = column;
  const [isTarget, setTarget] = useState(false);
  const [isHovered, setHovered] = useState(false);
  const areFactsShown = useDelayed(isHovered, FACTS_DELAY_MS);
  const place = isPinned ? 'sticky z-10' : 'absolute top-0 h-full';
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes(DRAG_TYPE)) return;
    event.preventDefault();
    setTarget(true);
  };
  return (
    <div
      role="columnheader"
      id={id}
      aria-colindex={column.position}
      aria-sort={sort ? (sort.isDescending ? 'descending' : 'ascending') : 'none'}
      data-row={-1}
      data-column={column.position - 1}
      draggable
      onPointerEnter={({ pointerType }) => setHovered(pointerType === 'mouse')}
      onPointerLeave={() => setHovered(false)}
      onPointerDown={() => setHovered(false)}
      onDragStart={(event) => event.dataTransfer.setData(DRAG_TYPE, name)}
      onDragOver={onDragOver}
      onDragLeave={() => setTarget(false)}
      onDrop={(event) => {
        setTarget(false);
        onMove(event.dataTransfer.getData(DRAG_TYPE), name);
      }}
      style={{ width, left }}
      className={`group/head flex items-center gap-1.5 border-r border-line bg-panel pr-1 pl-2.5 text-xs ${place} ${areFactsShown ? 'z-20!' : ''} ${isTarget ? 'bg-selected' : ''} ${isActive ? RING : ''}`}
    >
      <TypeMark type={type} />
      <span dir="auto" title={name} className="min-w-0 truncate font-medium">
        {name}
      </span>
      {isKey && <Icon name="key" size={12} className="text-muted" label="Part of the key" />}
      {sort && (
        <span className="nums flex shrink-0 items-center text-accent-ink">
          <Icon name={sort.isDescending ? 'arrowDown' : 'arrowUp'} size={14} />
          {rank > 0 && rank}
        </span>
      )}
      <button
        type="button"
        tabIndex={-1}
        data-menu
        aria-label={`Menu of ${name}`}
        className="absolute right-1.5 rounded-sm bg-panel p-0.5 text-muted opacity-0 group-hover/head:opacity-100 hover:bg-pressed focus-visible:opacity-100"
      >
        <Icon name="chevronDown" size={14} />
      </button>
      <ResizeHandle width={width} onResize={(next) => onResize(name, next)} />
      {areFactsShown && (
        <div
          role="presentation"
          className="pointer-events-none absolute top-full left-1 z-30 mt-1 rounded-md bg-raised px-2.5 py-1.5 whitespace-nowrap text-muted shadow-float"
        >
          {renderFacts(column)}
        </div>
      )}
    </div>
  );
}

/** The share of empty values is a request, so a pointer that only passes does not cause one. */
const FACTS_DELAY_MS = 350;

/** Whether something is the case for some time. */
function useDelayed(isTrue: boolean, delayMs: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!isTrue) return;
    const timer = setTimeout(() => setOver(true), delayMs);
    return () => {
      clearTimeout(timer);
      setOver(false);
    };
  }, [isTrue, delayMs]);
  return isTrue && isOver;
}

const TYPE_ICONS: Partial<Record<ColumnType, IconName>> = {
  boolean: 'toggleLeft',
  timestamp: 'clock',
  inet: 'network',
  uuid: 'tag',
  json: 'braces',
};

/** The type of a column as a small sign. */
export function TypeMark({ type }: { type: ColumnType }): ReactNode {
  const icon = TYPE_ICONS[type];
  if (icon) return <Icon name={icon} size={12} className="text-muted" />;
  return (
    <span aria-hidden className="w-3 shrink-0 text-center text-xs text-muted">
      {type === 'text' ? 'T' : '#'}
    </span>
  );
}
