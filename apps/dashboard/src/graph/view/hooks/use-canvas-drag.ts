import { type MouseEvent, type PointerEvent, useEffect, useMemo, useRef } from 'react';
import { createStore, type Store } from '../../../store/create-store.js';
import type { GraphIndex } from '../../model/graph-index.js';
import type { Point } from '../../model/graph.js';
import type { GraphHandle, GraphProps } from '../graph-props.js';

/** Nodes that the canvas draws, while they are dragged. */
export interface CanvasDrag {
  ids: ReadonlySet<string>;
  by: Point;
}

/** A press that moves less is a click. */
const THRESHOLD_PX = 3;

/** Moving nodes at a small zoom, where the canvas draws them: there are no elements that could be dragged. */
export function useCanvasDrag<T>(
  index: GraphIndex<T>,
  handle: GraphHandle,
  props: Pick<GraphProps<T>, 'selection' | 'onSelect' | 'onMove'>,
) {
  const latest = useRef({ index, props });
  useEffect(() => {
    latest.current = { index, props };
  });
  const drag = useMemo<Store<CanvasDrag | undefined>>(() => createStore<CanvasDrag | undefined>(undefined), []);
  const end = useRef<() => void>(undefined);
  useEffect(() => () => end.current?.(), []);

  return useMemo(() => {
    let isArmed = false;
    let hasMoved = false;
    const press = (event: PointerEvent) => {
      hasMoved = false;
      isArmed = false;
      const { props: current, index: graph } = latest.current;
      const isPlain = event.button === 0 && event.pointerType !== 'touch' && !event.shiftKey && !event.ctrlKey;
      if (!current.onMove || !isPlain || !isPane(event.target)) return;
      const start = handle.toGraph(event.clientX, event.clientY);
      const id = graph.grid.find({ ...start, width: 0, height: 0 })[0]?.id;
      if (id === undefined) return;
      isArmed = true;
      event.stopPropagation();
      const from = { x: event.clientX, y: event.clientY };
      const follow = ({ clientX, clientY }: globalThis.PointerEvent) => {
        if (!hasMoved && Math.hypot(clientX - from.x, clientY - from.y) < THRESHOLD_PX) return;
        const { props: now } = latest.current;
        if (!hasMoved && !now.selection.has(id)) now.onSelect(new Set([id]));
        const ids = drag.get()?.ids ?? (now.selection.has(id) ? now.selection : new Set([id]));
        hasMoved = true;
        const { x, y } = handle.toGraph(clientX, clientY);
        drag.set({ ids, by: { x: x - start.x, y: y - start.y } });
      };
      const release = () => {
        const dragged = drag.get();
        end.current?.();
        if (dragged) latest.current.props.onMove?.(movesOf(latest.current.index, dragged));
      };
      const cancel = (key: KeyboardEvent) => key.key === 'Escape' && end.current?.();
      end.current = () => {
        drag.set(undefined);
        removeEventListener('pointermove', follow);
        removeEventListener('pointerup', release);
        removeEventListener('keydown', cancel, true);
      };
      addEventListener('pointermove', follow);
      addEventListener('pointerup', release);
      addEventListener('keydown', cancel, true);
    };
    return {
      drag,
      handlers: {
        onPointerDownCapture: press,
        // Otherwise the view would move as well.
        onMouseDownCapture: (event: MouseEvent) => isArmed && isPane(event.target) && event.stopPropagation(),
        // The end of a drag is no click.
        onClickCapture: (event: MouseEvent) => hasMoved && isPane(event.target) && event.stopPropagation(),
      },
    };
  }, [handle, drag]);
}

const isPane = (target: EventTarget): boolean => target instanceof Element && target.matches('.react-flow__pane');

function movesOf<T>({ byId }: GraphIndex<T>, { ids, by }: CanvasDrag): Map<string, Point> {
  return new Map(
    [...ids].flatMap((id) => {
      const node = byId.get(id);
      return node ? [[id, { x: Math.round(node.x + by.x), y: Math.round(node.y + by.y) }] as const] : [];
    }),
  );
}
