import { heightOf, NODE_WIDTH, type GraphNode, type Rect } from './graph.js';

export interface Viewport {
  x: number;
  y: number;
  zoom: number;
}

export const MIN_ZOOM = 0.05;
export const MAX_ZOOM = 2;

/** The smallest rectangle around all nodes. */
export function boundsOf(nodes: readonly GraphNode[]): Rect {
  if (nodes.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const node of nodes) {
    left = Math.min(left, node.x);
    top = Math.min(top, node.y);
    right = Math.max(right, node.x + NODE_WIDTH);
    bottom = Math.max(bottom, node.y + heightOf(node));
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The viewport that shows a rectangle in the middle of a screen, not larger than life. */
export function fitBounds(bounds: Rect, width: number, height: number, padding = 48): Viewport {
  const scale = Math.min(
    (width - 2 * padding) / Math.max(bounds.width, 1),
    (height - 2 * padding) / Math.max(bounds.height, 1),
    1,
  );
  const zoom = Math.min(Math.max(scale, MIN_ZOOM), MAX_ZOOM);
  return {
    x: width / 2 - (bounds.x + bounds.width / 2) * zoom,
    y: height / 2 - (bounds.y + bounds.height / 2) * zoom,
    zoom,
  };
}

/** The part of the graph that a screen shows. */
export const viewRect = ({ x, y, zoom }: Viewport, width: number, height: number): Rect => ({
  x: -x / zoom,
  y: -y / zoom,
  width: width / zoom,
  height: height / zoom,
});

export const expandRect = (rect: Rect, dx: number, dy: number): Rect => ({
  x: rect.x - dx,
  y: rect.y - dy,
  width: rect.width + 2 * dx,
  height: rect.height + 2 * dy,
});

export const containsRect = (outer: Rect, inner: Rect): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;
