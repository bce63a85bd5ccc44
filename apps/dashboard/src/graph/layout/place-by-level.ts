import { NODE_WIDTH } from '../model/graph.js';
import { COLUMN_GAP, ROW_GAP, type LayoutInput, type Positions } from './layout-input.js';

/**
 * A layout in linear time: each node is one column after its last source, and near the rows of its sources. Less beautiful than
 * dagre's, which takes seconds for thousands of nodes.
 */
export function placeByLevel({ nodes, edges }: LayoutInput): Positions {
  const sources = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  const targets = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { source, target } of edges)
    if (source !== target && sources.has(source) && sources.has(target)) {
      sources.get(target)?.push(source);
      targets.get(source)?.push(target);
    }
  const levels = levelsOf(sources, targets);
  const columns: LayoutInput['nodes'][number][][] = [];
  for (const node of nodes) (columns[levels.get(node.id) ?? 0] ??= []).push(node);
  return placeColumns(columns, sources);
}

/** The longest way from a node without sources. Nodes of a cycle come last, in column 0 or after their placed sources. */
function levelsOf(
  sources: ReadonlyMap<string, readonly string[]>,
  targets: ReadonlyMap<string, readonly string[]>,
): Map<string, number> {
  const levels = new Map<string, number>();
  const open = new Map([...sources].map(([id, list]) => [id, list.length]));
  let ready = [...open].filter(([, count]) => count === 0).map(([id]) => id);
  while (ready.length > 0) {
    const next: string[] = [];
    for (const id of ready) {
      const level = levels.get(id) ?? 0;
      for (const target of targets.get(id) ?? []) {
        levels.set(target, Math.max(levels.get(target) ?? 0, level + 1));
        const count = (open.get(target) ?? 1) - 1;
        open.set(target, count);
        if (count === 0) next.push(target);
      }
    }
    ready = next;
  }
  return levels;
}

function placeColumns(
  columns: LayoutInput['nodes'][number][][],
  sources: ReadonlyMap<string, readonly string[]>,
): Positions {
  const positions: Positions = {};
  const expected = (id: string): number => {
    const rows = (sources.get(id) ?? []).flatMap((source) => positions[source]?.y ?? []);
    return rows.length === 0 ? 0 : rows.reduce((sum, row) => sum + row, 0) / rows.length;
  };
  for (const [column, nodes] of columns.entries()) {
    const sorted = (nodes ?? []).map((node) => ({ node, row: expected(node.id) })).sort((a, b) => a.row - b.row);
    let free = -Infinity;
    for (const { node, row } of sorted) {
      const y = Math.max(row, free);
      positions[node.id] = { x: column * (NODE_WIDTH + COLUMN_GAP), y };
      free = y + node.height + ROW_GAP;
    }
  }
  return positions;
}
