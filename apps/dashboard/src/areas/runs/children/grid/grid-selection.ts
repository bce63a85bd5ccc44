import { type GridLayout, positionOf } from './grid-layout.js';

/** A range of squares, in the order in which they are shown. It reaches from where it began to where it ends, both included. */
export interface GridRange {
  anchor: number;
  end: number;
}

export const firstOf = ({ anchor, end }: GridRange): number => Math.min(anchor, end);
export const lastOf = ({ anchor, end }: GridRange): number => Math.max(anchor, end);
export const sizeOf = (range: GridRange | undefined): number => (range ? lastOf(range) - firstOf(range) + 1 : 0);
export const includes = (range: GridRange | undefined, square: number): boolean =>
  range !== undefined && square >= firstOf(range) && square <= lastOf(range);

export interface Rectangle {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The rectangles that cover a range: the rest of its first row, whole rows, and the begin of its last row. */
export function outlineRange(layout: GridLayout, range: GridRange): Rectangle[] {
  const { columns, pitch, gap, count } = layout;
  const [first, last] = [Math.max(0, firstOf(range)), Math.min(count - 1, lastOf(range))];
  const cover = (from: number, to: number, rows = 1): Rectangle => {
    const { x, y } = positionOf(layout, from);
    return { left: x, top: y, width: ((to % columns) + 1) * pitch - x - gap, height: rows * pitch - gap };
  };
  const [firstRow, lastRow] = [Math.floor(first / columns), Math.floor(last / columns)];
  if (last < first) return [];
  if (firstRow === lastRow) return [cover(first, last)];
  const startsRow = first % columns === 0;
  const endsRow = (last + 1) % columns === 0;
  const top = startsRow ? firstRow : firstRow + 1;
  const bottom = endsRow ? lastRow : lastRow - 1;
  return [
    ...(startsRow ? [] : [cover(first, top * columns - 1)]),
    ...(bottom >= top ? [cover(top * columns, (bottom + 1) * columns - 1, bottom - top + 1)] : []),
    ...(endsRow ? [] : [cover(lastRow * columns, last)]),
  ];
}
