import { type ChildStates, STATUSES, type SubjobStatus } from '../../live/child-states.js';
import { type GridLayout, positionOf } from './grid-layout.js';

/** Colours by the code of a status, as 0xAABBGGRR. */
export type Palette = Uint32Array;

const CLASSES: Record<SubjobStatus, string> = {
  PENDING: 'bg-queued-soft',
  RUNNING: 'bg-running-solid',
  SUCCEEDED: 'bg-succeeded-solid',
  FAILED: 'bg-failed-solid',
  STOPPING: 'bg-stopped-solid',
  STOPPED: 'bg-stopped-solid',
  SKIPPED: 'bg-stopped-soft',
};

/** Reads the colours of the present theme. A canvas paints with numbers, and the design has tokens. */
export function readPalette(host: HTMLElement): Palette {
  const probe = document.createElement('span');
  host.append(probe);
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const palette = STATUSES.map((status) => {
    probe.className = `hidden ${CLASSES[status]}`;
    if (!context) return 0;
    context.fillStyle = getComputedStyle(probe).backgroundColor;
    context.fillRect(0, 0, 1, 1);
    return new Uint32Array(context.getImageData(0, 0, 1, 1).data.buffer)[0] ?? 0;
  });
  probe.remove();
  return Uint32Array.from(palette);
}

export interface Painting {
  states: ChildStates;
  layout: GridLayout;
  /** The child of each square; undefined if the first square is the first child, and so on. */
  order: Uint32Array | undefined;
  palette: Palette;
  /** Canvas pixels for one pixel of the layout: 1 or 2. */
  scale: number;
}

/** Paints all squares at once: O(pixels), about 10 ms for 100,000 children. */
export function paintAll(context: CanvasRenderingContext2D, painting: Painting): void {
  const { layout, states, order, palette, scale } = painting;
  const pitch = layout.pitch * scale;
  const width = layout.columns * pitch;
  const height = layout.rows * pitch;
  if (width === 0 || height === 0) return;
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const side = (layout.pitch - layout.gap) * scale;
  for (let square = 0; square < layout.count; square++) {
    const color = palette[states.codeAt(order ? (order[square] ?? 0) : square)] ?? 0;
    const { x, y } = positionOf(layout, square);
    for (let row = 0; row < side; row++) {
      const start = (y * scale + row) * width + x * scale;
      pixels.fill(color, start, start + side);
    }
  }
  context.putImageData(image, 0, 0);
}

/** Paints single squares: O(squares). 1,000 of 100,000 take about 1 ms. */
export function paintSquares(context: CanvasRenderingContext2D, painting: Painting, places: readonly number[]): void {
  const { layout, states, palette, scale } = painting;
  const side = (layout.pitch - layout.gap) * scale;
  // By colour, because a change of the colour costs more than a square.
  const byCode: number[][] = STATUSES.map(() => []);
  for (const place of places) if (place < layout.count) byCode[states.codeAt(place)]?.push(place);
  for (const [code, squares] of byCode.entries()) {
    if (squares.length === 0) continue;
    context.fillStyle = toCss(palette[code] ?? 0);
    for (const square of squares) {
      const { x, y } = positionOf(layout, square);
      context.clearRect(x * scale, y * scale, side, side);
      context.fillRect(x * scale, y * scale, side, side);
    }
  }
}

const toCss = (color: number): string => `rgb(${color & 255} ${(color >> 8) & 255} ${(color >> 16) & 255})`;
