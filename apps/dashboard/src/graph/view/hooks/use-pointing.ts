import { type NodeChange, useStoreApi } from '@xyflow/react';
import { type MouseEvent, useEffect, useRef } from 'react';
import type { GraphIndex } from '../../model/graph-index.js';
import type { Rect } from '../../model/graph.js';
import type { FlowNode } from '../flow-nodes.js';
import type { GraphHandle, GraphProps } from '../graph-props.js';

/** Selecting by the mouse: click, Ctrl or Shift and click, a frame, and what the canvas shows in place of elements. */
export function usePointing<T>(
  index: GraphIndex<T>,
  handle: GraphHandle,
  {
    selection,
    onSelect,
    onSelectEdge,
    onOpen,
  }: Pick<GraphProps<T>, 'selection' | 'onSelect' | 'onSelectEdge' | 'onOpen'>,
) {
  const framed = useRef<Set<string> | null>(null);
  const frame = useFrame();
  const nodeAt = (event: MouseEvent) => {
    const point = handle.toGraph(event.clientX, event.clientY);
    return index.grid.find({ ...point, width: 0, height: 0 })[0]?.id;
  };
  const select = (event: MouseEvent, id: string) => {
    handle.focus();
    onSelectEdge?.(undefined);
    if (!event.shiftKey && !event.ctrlKey && !event.metaKey) return onSelect(new Set([id]));
    const next = new Set(selection);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };
  return {
    select,
    grab: (id: string) => {
      if (!selection.has(id)) onSelect(new Set([id]));
    },
    clickPane: (event: MouseEvent) => {
      const id = nodeAt(event);
      if (id !== undefined) return select(event, id);
      handle.focus();
      onSelect(new Set());
      onSelectEdge?.(undefined);
    },
    openAt: (event: MouseEvent) => {
      const id =
        event.target instanceof Element && event.target.closest('.react-flow__pane') ? nodeAt(event) : undefined;
      if (id !== undefined) onOpen?.(id);
    },
    beginFrame: () => {
      framed.current = new Set(selection);
    },
    changeFrame: (changes: NodeChange<FlowNode<T>>[]) => {
      const next = framed.current;
      if (!next) return;
      for (const change of changes)
        if (change.type === 'select') {
          if (change.selected) next.add(change.id);
          else next.delete(change.id);
        }
      onSelect(new Set(next));
    },
    endFrame: () => {
      const found = frame.current ? index.grid.find(frame.current).map(({ id }) => id) : [];
      // The canvas may draw nodes in the frame, of which no change is reported.
      if (framed.current) onSelect(new Set([...framed.current, ...found]));
      framed.current = null;
      handle.focus();
    },
  };
}

/** The frame that the user draws, or has drawn last, in coordinates of the graph. */
function useFrame() {
  const store = useStoreApi();
  const frame = useRef<Rect>(undefined);
  useEffect(
    () =>
      store.subscribe(({ userSelectionRect: rect, transform: [left, top, zoom] }) => {
        if (rect)
          frame.current = {
            x: (rect.x - left) / zoom,
            y: (rect.y - top) / zoom,
            width: rect.width / zoom,
            height: rect.height / zoom,
          };
      }),
    [store],
  );
  return frame;
}
