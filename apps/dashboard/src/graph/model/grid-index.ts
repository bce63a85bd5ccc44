import { heightOf, NODE_WIDTH, type GraphNode, type Rect } from './graph.js';

const CELL = 1_024;

/** Finds the nodes in a rectangle without looking at all of them. */
export class GridIndex<T> {
  private readonly cells = new Map<string, GraphNode<T>[]>();

  constructor(nodes: readonly GraphNode<T>[]) {
    for (const node of nodes)
      for (const key of cellsOf({ x: node.x, y: node.y, width: NODE_WIDTH, height: heightOf(node) })) {
        const cell = this.cells.get(key);
        if (cell) cell.push(node);
        else this.cells.set(key, [node]);
      }
  }

  /** @returns each node that touches the rectangle, once */
  find(rect: Rect): GraphNode<T>[] {
    const found = new Set<GraphNode<T>>();
    // A small zoom shows more cells than the graph has.
    const cells = countCells(rect) > this.cells.size ? this.cells.values() : this.cellsIn(rect);
    for (const cell of cells) for (const node of cell) if (touches(node, rect)) found.add(node);
    return [...found];
  }

  private *cellsIn(rect: Rect): Generator<GraphNode<T>[]> {
    for (const key of cellsOf(rect)) {
      const cell = this.cells.get(key);
      if (cell) yield cell;
    }
  }
}

export const touches = (node: GraphNode, rect: Rect): boolean =>
  node.x <= rect.x + rect.width &&
  node.x + NODE_WIDTH >= rect.x &&
  node.y <= rect.y + rect.height &&
  node.y + heightOf(node) >= rect.y;

const first = (start: number) => Math.floor(start / CELL);
const last = (start: number, length: number) => Math.floor((start + length) / CELL);

const countCells = ({ x, y, width, height }: Rect): number =>
  (last(x, width) - first(x) + 1) * (last(y, height) - first(y) + 1);

function* cellsOf({ x, y, width, height }: Rect): Generator<string> {
  for (let column = first(x); column <= last(x, width); column++)
    for (let row = first(y); row <= last(y, height); row++) yield `${column}:${row}`;
}
