import type { Column } from '@millrace/client';

export type ColumnType = Column['type'];

/** A column as the grid shows it. */
export interface GridColumn {
  name: string;
  type: ColumnType;
  isKey: boolean;
}

export interface PlacedColumn extends GridColumn {
  /** Distance from the left edge of the row, in pixels. */
  left: number;
  width: number;
  isPinned: boolean;
  /** Number of the column for assistive technology, from 1; the number of the row is column 1. */
  position: number;
}

export interface ColumnLayout {
  /** Pinned columns come first. */
  columns: readonly PlacedColumn[];
  /** Width of the row number and the pinned columns. */
  pinnedWidth: number;
  totalWidth: number;
}

export const MIN_COLUMN_WIDTH = 56;
export const MAX_COLUMN_WIDTH = 1_200;

const DEFAULT_WIDTHS: Record<ColumnType, number> = {
  text: 220,
  bigint: 110,
  double: 110,
  boolean: 90,
  timestamp: 190,
  inet: 150,
  uuid: 290,
  json: 280,
};

/** Pixels of a header besides the name: padding, the icon of the type, and the button of the menu. */
const HEADER_EXTRA_WIDTH = 74;
const CHARACTER_WIDTH = 7.5;

function defaultWidth({ name, type }: GridColumn): number {
  const header = name.length * CHARACTER_WIDTH + HEADER_EXTRA_WIDTH;
  return Math.round(Math.max(DEFAULT_WIDTHS[type], Math.min(header, 260)));
}

export const clampWidth = (width: number): number =>
  Math.round(Math.min(MAX_COLUMN_WIDTH, Math.max(MIN_COLUMN_WIDTH, width)));

/** Places columns side by side, pinned ones first. */
export function placeColumns(
  columns: readonly GridColumn[],
  widths: Readonly<Record<string, number>>,
  pinned: readonly string[],
  rowNumberWidth: number,
): ColumnLayout {
  const isPinned = ({ name }: GridColumn) => pinned.includes(name);
  const ordered = [...columns.filter(isPinned), ...columns.filter((column) => !isPinned(column))];
  let left = rowNumberWidth;
  let pinnedWidth = left;
  const placed = ordered.map((column, index) => {
    const width = clampWidth(widths[column.name] ?? defaultWidth(column));
    const one = { ...column, left, width, isPinned: isPinned(column), position: index + 2 };
    left += width;
    if (one.isPinned) pinnedWidth = left;
    return one;
  });
  return { columns: placed, pinnedWidth, totalWidth: left };
}

/** The pinned columns, and the others that are visible at a scroll position. */
export function visibleColumns({ columns }: ColumnLayout, scrollLeft: number, width: number): readonly PlacedColumn[] {
  const right = scrollLeft + width;
  return columns.filter(
    (column) => column.isPinned || (column.left < right && column.left + column.width > scrollLeft),
  );
}

/** The scroll position that shows a column beside the pinned ones, as near as possible to the present one. */
export function scrollToColumn(layout: ColumnLayout, index: number, scrollLeft: number, width: number): number {
  const column = layout.columns[index];
  if (!column || column.isPinned) return scrollLeft;
  const first = column.left - layout.pinnedWidth;
  if (scrollLeft > first) return first;
  return Math.max(scrollLeft, Math.min(first, column.left + column.width - width));
}

/** Moves a column before or after another one. */
export function moveColumn(names: readonly string[], moved: string, target: string): string[] {
  const from = names.indexOf(moved);
  const to = names.indexOf(target);
  if (from === -1 || to === -1 || from === to) return [...names];
  const rest = names.filter((name) => name !== moved);
  const at = rest.indexOf(target) + (from < to ? 1 : 0);
  return [...rest.slice(0, at), moved, ...rest.slice(at)];
}
