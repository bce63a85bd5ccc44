export const ROW_HEIGHT = 32;
/** Browsers cut elements that are higher: Chromium at 33 million pixels, Firefox at 17 million. */
const MAX_HEIGHT = 15_000_000;

/** How the scrollbar of an element of limited height stands for rows that would be higher. */
export interface ScrollScale {
  /** Height of the scrolled element. */
  height: number;
  /** Pixels of rows for each pixel of the scrollbar. */
  factor: number;
}

export function scaleRows(count: number, viewport: number): ScrollScale {
  const full = count * ROW_HEIGHT;
  const height = Math.min(full, MAX_HEIGHT);
  if (full <= MAX_HEIGHT || height <= viewport) return { height, factor: 1 };
  return { height, factor: (full - viewport) / (height - viewport) };
}

/** The largest distance from the first row. */
export const maxOffset = (count: number, viewport: number): number => Math.max(0, count * ROW_HEIGHT - viewport);

/** The rows at an offset, the last one included. */
export function rowsAt(offset: number, viewport: number, count: number): { first: number; last: number } {
  const first = Math.max(0, Math.floor(offset / ROW_HEIGHT));
  return {
    first: Math.min(first, Math.max(0, count - 1)),
    last: Math.min(count, Math.ceil((offset + viewport) / ROW_HEIGHT)) - 1,
  };
}

/** The offset that shows a row completely, as near as possible to the present one. */
export function offsetOfRow(row: number, offset: number, viewport: number): number {
  const top = row * ROW_HEIGHT;
  if (top < offset) return top;
  return Math.max(offset, top + ROW_HEIGHT - viewport);
}
