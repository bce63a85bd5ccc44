import type { GraphIndex } from './graph-index.js';
import { heightOf, type GraphNode } from './graph.js';

export type Direction = 'left' | 'right' | 'up' | 'down';

/**
 * The node that an arrow key leads to. Right and left follow the connections; up and down go to the nearest node of the same
 * column. Without such a node, the nearest one in that direction.
 */
export function walkGraph<T>(index: GraphIndex<T>, from: string | undefined, direction: Direction): string | undefined {
  const current = from === undefined ? undefined : index.byId.get(from);
  if (!current) return firstNode(index)?.id;
  const neighbours =
    direction === 'right'
      ? (index.outgoing.get(current.id) ?? []).map(({ target }) => target)
      : direction === 'left'
        ? (index.incoming.get(current.id) ?? []).map(({ source }) => source)
        : [];
  return (nearest(neighbours, current) ?? nearest(nodesTowards(index.nodes, current, direction), current))?.id;
}

/** Where the keyboard begins: the first node in reading order. */
export const firstNode = <T>({ nodes }: GraphIndex<T>): GraphNode<T> | undefined =>
  nodes.reduce<GraphNode<T> | undefined>(
    (best, node) => (!best || node.x < best.x || (node.x === best.x && node.y < best.y) ? node : best),
    undefined,
  );

const middle = (node: GraphNode): number => node.y + heightOf(node) / 2;

function nearest<T>(nodes: readonly GraphNode<T>[], from: GraphNode<T>): GraphNode<T> | undefined {
  let best: { node: GraphNode<T>; distance: number } | undefined;
  for (const node of nodes) {
    const distance = Math.hypot(node.x - from.x, middle(node) - middle(from));
    if (node.id !== from.id && (!best || distance < best.distance)) best = { node, distance };
  }
  return best?.node;
}

/** Nodes in the quarter of the plane that a direction points to. */
function nodesTowards<T>(nodes: readonly GraphNode<T>[], from: GraphNode<T>, direction: Direction): GraphNode<T>[] {
  return nodes.filter((node) => {
    const [dx, dy] = [node.x - from.x, middle(node) - middle(from)];
    switch (direction) {
      case 'left':
        return dx < 0 && Math.abs(dy) <= -dx;
      case 'right':
        return dx > 0 && Math.abs(dy) <= dx;
      case 'up':
        return dy < 0 && Math.abs(dx) <= -dy * 2;
      case 'down':
        return dy > 0 && Math.abs(dx) <= dy * 2;
    }
  });
}
