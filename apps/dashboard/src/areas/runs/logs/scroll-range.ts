export const LINE_HEIGHT = 18;
/** Browsers do not lay out elements much higher than 16 million pixels, so a scrollbar of more lines is scaled. */
export const MAX_HEIGHT = 8_000_000;

/** How a scrollbar and lines correspond. */
export interface ScrollRange {
  /** Height of the scrolled content in pixels. */
  height: number;
  /** Lines per pixel. */
  scale: number;
  /** The largest first line. */
  lastTop: number;
  isScaled: boolean;
}

/** @param viewHeight height of the visible part, in pixels */
export function rangeOf(lines: number, viewHeight: number): ScrollRange {
  const natural = lines * LINE_HEIGHT;
  const lastTop = Math.max(0, lines - viewHeight / LINE_HEIGHT);
  const isScaled = natural > MAX_HEIGHT;
  const height = isScaled ? MAX_HEIGHT : natural;
  const way = height - viewHeight;
  return { height, scale: way <= 0 ? 0 : lastTop / way, lastTop, isScaled };
}

/** The first line at a place of the scrollbar; a fraction is the part of it above the view. */
export const lineAt = (scrollTop: number, { scale, lastTop }: ScrollRange): number =>
  Math.min(lastTop, Math.max(0, scrollTop * scale));

export const scrollTopOf = (line: number, { scale }: ScrollRange): number => (scale === 0 ? 0 : line / scale);
