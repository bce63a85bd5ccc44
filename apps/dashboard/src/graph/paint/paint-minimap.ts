import type { GraphNode, Rect } from '../model/graph.js';
import { heightOf, NODE_WIDTH } from '../model/graph.js';
import type { GraphColors } from './graph-colors.js';

/** Maps the graph into a small picture. */
export interface Miniature {
  scale: number;
  x: number;
  y: number;
}

/** Where the bounds of a graph are in a picture of a size. */
export function miniatureOf(bounds: Rect, width: number, height: number, padding = 8): Miniature {
  const scale = Math.min(
    (width - 2 * padding) / Math.max(bounds.width, 1),
    (height - 2 * padding) / Math.max(bounds.height, 1),
    0.15,
  );
  return {
    scale,
    x: width / 2 - (bounds.x + bounds.width / 2) * scale,
    y: height / 2 - (bounds.y + bounds.height / 2) * scale,
  };
}

export function paintMinimap(
  context: CanvasRenderingContext2D,
  nodes: readonly GraphNode[],
  { scale, x, y }: Miniature,
  colors: GraphColors,
  pixelRatio: number,
): void {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  for (const node of nodes) {
    context.fillStyle = colors.tones[node.tone].line;
    const [width, height] = [Math.max(NODE_WIDTH * scale, 1.5), Math.max(heightOf(node) * scale, 1.5)];
    context.fillRect(node.x * scale + x, node.y * scale + y, width, height);
  }
}
