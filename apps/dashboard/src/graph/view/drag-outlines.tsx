import { useMemo } from 'react';
import { type Store, useStore } from '../../store/create-store.js';
import { boundsOf } from '../model/bounds.js';
import type { GraphIndex } from '../model/graph-index.js';
import { heightOf, NODE_WIDTH } from '../model/graph.js';
import type { CanvasDrag } from './hooks/use-canvas-drag.js';

/** More nodes are one rectangle. */
const MAX_OUTLINES = 300;

interface DragOutlinesProps<T> {
  index: GraphIndex<T>;
  drag: Store<CanvasDrag | undefined>;
}

/** Where the nodes of the canvas will be. To draw 20,000 edges again with each move would take 60 ms. */
export function DragOutlines<T>({ index, drag }: DragOutlinesProps<T>) {
  const current = useStore(drag);
  const ids = current?.ids;
  const boxes = useMemo(() => {
    const nodes = [...(ids ?? [])].flatMap((id) => index.byId.get(id) ?? []);
    if (nodes.length > MAX_OUTLINES) return [{ id: 'all', ...boundsOf(nodes) }];
    return nodes.map((node) => ({ id: node.id, x: node.x, y: node.y, width: NODE_WIDTH, height: heightOf(node) }));
  }, [index, ids]);
  if (!current) return null;
  return (
    <div className="pointer-events-none absolute" style={{ translate: `${current.by.x}px ${current.by.y}px` }}>
      {boxes.map(({ id, x, y, width, height }) => (
        <div
          key={id}
          style={{ left: x, top: y, width, height }}
          className="absolute rounded-md border-4 border-accent bg-accent/20"
        />
      ))}
    </div>
  );
}
