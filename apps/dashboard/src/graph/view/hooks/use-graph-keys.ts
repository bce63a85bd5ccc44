import type { KeyboardEvent } from 'react';
import type { GraphIndex } from '../../model/graph-index.js';
import { type Direction, walkGraph } from '../../model/walk-graph.js';
import type { GraphProps } from '../graph-props.js';

const DIRECTIONS: Record<string, Direction> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/** Enter, Escape, Delete and the arrows, while the graph has the focus. */
export function useGraphKeys<T>(
  index: GraphIndex<T>,
  props: Pick<GraphProps<T>, 'selection' | 'onSelect' | 'onSelectEdge' | 'onOpen' | 'onDelete'>,
  reveal: (node: string) => void,
) {
  const { selection, onSelect, onSelectEdge, onOpen, onDelete } = props;
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const current = [...selection].at(-1);
    const direction = DIRECTIONS[event.key];
    if (direction) {
      event.preventDefault();
      const next = walkGraph(index, current, direction);
      if (next === undefined) return;
      onSelect(event.shiftKey ? new Set([...selection, next]) : new Set([next]));
      reveal(next);
    } else if (event.key === 'Enter' && current !== undefined) {
      event.preventDefault();
      onOpen?.(current);
    } else if (event.key === 'Escape') {
      onSelect(new Set());
      onSelectEdge?.(undefined);
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      onDelete?.();
    }
  };
}
