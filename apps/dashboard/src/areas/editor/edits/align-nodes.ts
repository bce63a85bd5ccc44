import { heightOf, NODE_WIDTH, type GraphNode, type Point } from '../../../graph/model/graph.js';

export type Alignment = 'left' | 'center' | 'right' | 'top' | 'middle' | 'bottom' | 'row' | 'column';

const GAP = { row: 88, column: 32 };

/** New places for nodes: on one line, or at equal distances in a row or a column. */
export function alignNodes(nodes: readonly GraphNode[], alignment: Alignment): Map<string, Point> {
  if (nodes.length < 2) return new Map();
  const left = Math.min(...nodes.map(({ x }) => x));
  const right = Math.max(...nodes.map(({ x }) => x + NODE_WIDTH));
  const top = Math.min(...nodes.map(({ y }) => y));
  const bottom = Math.max(...nodes.map((node) => node.y + heightOf(node)));
  if (alignment === 'row' || alignment === 'column') return spread(nodes, alignment, { x: left, y: top });
  return new Map(
    nodes.map((node) => {
      const height = heightOf(node);
      const place: Record<Exclude<Alignment, 'row' | 'column'>, Partial<Point>> = {
        left: { x: left },
        center: { x: (left + right - NODE_WIDTH) / 2 },
        right: { x: right - NODE_WIDTH },
        top: { y: top },
        middle: { y: (top + bottom - height) / 2 },
        bottom: { y: bottom - height },
      };
      return [node.id, { x: node.x, y: node.y, ...place[alignment] }];
    }),
  );
}

function spread(nodes: readonly GraphNode[], alignment: 'row' | 'column', start: Point): Map<string, Point> {
  const axis = alignment === 'row' ? 'x' : 'y';
  let next = start[axis];
  return new Map(
    [...nodes]
      .sort((a, b) => a[axis] - b[axis])
      .map((node) => {
        const place = axis === 'x' ? { x: next, y: start.y } : { x: start.x, y: next };
        next += (axis === 'x' ? NODE_WIDTH : heightOf(node)) + GAP[alignment];
        return [node.id, place];
      }),
  );
}
