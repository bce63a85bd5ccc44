import { Graph, layout } from '@dagrejs/dagre';
import { NODE_WIDTH, type Point } from '../model/graph.js';
import { COLUMN_GAP, ROW_GAP, type LayoutInput, type Positions } from './layout-input.js';

/** A layout from left to right with few crossings: 1 to 2 s for 1,000 nodes. */
export function layoutWithDagre({ nodes, edges }: LayoutInput): Positions {
  const graph = new Graph({ multigraph: false });
  graph.setGraph({ rankdir: 'LR', nodesep: ROW_GAP, ranksep: COLUMN_GAP, marginx: 0, marginy: 0 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, height } of nodes) graph.setNode(id, { width: NODE_WIDTH, height });
  for (const { source, target } of edges)
    if (graph.hasNode(source) && graph.hasNode(target)) graph.setEdge(source, target);
  layout(graph);
  return Object.fromEntries(
    nodes.map(({ id, height }) => {
      const { x = 0, y = 0 } = graph.node(id) as Partial<Point>;
      return [id, { x: Math.round(x - NODE_WIDTH / 2), y: Math.round(y - height / 2) }];
    }),
  );
}
