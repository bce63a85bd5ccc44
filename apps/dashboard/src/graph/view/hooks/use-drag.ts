import type { NodeChange } from '@xyflow/react';
import { useCallback, useRef, useState } from 'react';
import type { GraphNode, Point } from '../../model/graph.js';
import type { FlowNode } from '../flow-nodes.js';

export type Moves = ReadonlyMap<string, Point>;

const NONE: Moves = new Map();

/**
 * Where nodes are while they are dragged. Selected nodes outside of the view, which are no elements, move with the others when
 * the drag ends.
 */
export function useDrag<T>(
  byId: ReadonlyMap<string, GraphNode<T>>,
  selection: ReadonlySet<string>,
  onMove: ((moves: Moves) => void) | undefined,
) {
  const [moved, setMoved] = useState<Moves>(NONE);
  const latest = useRef<Moves>(NONE);
  const update = useCallback((moves: Moves) => {
    latest.current = moves;
    setMoved(moves);
  }, []);
  const onNodesChange = useCallback(
    (changes: NodeChange<FlowNode<T>>[]) => {
      const next = new Map(latest.current);
      for (const change of changes)
        if (change.type === 'position' && change.position) next.set(change.id, change.position);
      if (next.size > 0) update(next);
    },
    [update],
  );
  const finish = useCallback(() => {
    const moves = latest.current;
    update(NONE);
    const [first] = moves;
    const origin = first && byId.get(first[0]);
    if (!first || !origin || (origin.x === first[1].x && origin.y === first[1].y)) return;
    const [dx, dy] = [first[1].x - origin.x, first[1].y - origin.y];
    const all = new Map(moves);
    if (selection.has(first[0]))
      for (const id of selection) {
        const node = byId.get(id);
        if (node && !all.has(id)) all.set(id, { x: node.x + dx, y: node.y + dy });
      }
    onMove?.(new Map([...all].map(([id, { x, y }]) => [id, { x: Math.round(x), y: Math.round(y) }])));
  }, [byId, selection, onMove, update]);
  return { moved, onNodesChange, finish };
}
