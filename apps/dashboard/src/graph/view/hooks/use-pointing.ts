import type { NodeChange } from '@xyflow/react';
import { type MouseEvent, useRef } from 'react';
import type { GraphIndex } from '../../model/graph-index.js';
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
      framed.current = null;
      handle.focus();
    },
  };
}
