/** Where squares are: `columns` in a row, each `pitch` pixels wide and high, of which `gap` are free. */
export interface GridLayout {
  count: number;
  columns: number;
  rows: number;
  pitch: number;
  gap: number;
}

/** Squares become smaller the more there are. */
const PITCHES = [
  { upTo: 400, pitch: 16, gap: 2 },
  { upTo: 2_500, pitch: 12, gap: 2 },
  { upTo: 12_000, pitch: 8, gap: 1 },
  { upTo: 40_000, pitch: 5, gap: 1 },
  { upTo: Infinity, pitch: 4, gap: 1 },
];

/** @param width of the available space, in pixels */
export function layoutGrid(count: number, width: number): GridLayout {
  const { pitch, gap } = PITCHES.find(({ upTo }) => count <= upTo) ?? { pitch: 4, gap: 1 };
  const columns = Math.max(1, Math.floor(width / pitch));
  return { count, columns, rows: Math.ceil(count / columns), pitch, gap };
}

/** The square at a point; undefined beside all squares. */
export function squareAt({ count, columns, pitch }: GridLayout, x: number, y: number): number | undefined {
  const column = Math.floor(x / pitch);
  const square = Math.floor(y / pitch) * columns + column;
  return x < 0 || y < 0 || column >= columns || square >= count ? undefined : square;
}

export const positionOf = ({ columns, pitch }: GridLayout, square: number) => ({
  x: (square % columns) * pitch,
  y: Math.floor(square / columns) * pitch,
});

/** The square that a key leads to; undefined for other keys. */
export function moveSquare({ count, columns }: GridLayout, square: number, key: string): number | undefined {
  const next = {
    ArrowLeft: square - 1,
    ArrowRight: square + 1,
    ArrowUp: square - columns,
    ArrowDown: square + columns,
    PageUp: square - 10 * columns,
    PageDown: square + 10 * columns,
    Home: 0,
    End: count - 1,
  }[key];
  return next === undefined ? undefined : Math.min(count - 1, Math.max(0, next));
}
