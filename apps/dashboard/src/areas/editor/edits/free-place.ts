import { NODE_WIDTH, type Point, type Rect } from '../../../graph/model/graph.js';
import { layoutInput } from '../canvas/layout-input.js';
import type { Document } from '../document/document.js';
import { coordinatesOf } from './coordinates.js';

export const NOTE_SIZE = { width: 240, height: 120 };

const GAP = 32;

/** Where the placed nodes and the notes of a document are. */
export function listRects(document: Document): Rect[] {
  const nodes = layoutInput(document).nodes.flatMap(({ id, height }) => {
    const at = coordinatesOf(document, id);
    return at ? [{ ...at, width: NODE_WIDTH, height }] : [];
  });
  const notes = Object.values(document.annotations).map(({ coordinates, width, height }) => ({
    ...(coordinates ?? { x: 0, y: 0 }),
    width: width ?? NOTE_SIZE.width,
    height: height ?? NOTE_SIZE.height,
  }));
  return [...nodes, ...notes];
}

/** The place at or below a point where a rectangle covers none of the others. */
export function freePlace(rect: Rect, others: readonly Rect[]): Point {
  const beside = others
    .filter((other) => other.x < rect.x + rect.width + GAP && other.x + other.width + GAP > rect.x)
    .sort((a, b) => a.y - b.y);
  let { y } = rect;
  for (const other of beside)
    if (other.y < y + rect.height + GAP && other.y + other.height + GAP > y) y = other.y + other.height + GAP;
  return { x: rect.x, y };
}

/** The smallest rectangle around others; undefined if there are none. */
export function boundsOfRects(rects: readonly Rect[]): Rect | undefined {
  if (rects.length === 0) return undefined;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of rects) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}
