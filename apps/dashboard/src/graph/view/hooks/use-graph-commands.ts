import { useReactFlow, useStoreApi } from '@xyflow/react';
import { type RefObject, useEffect, useImperativeHandle, useMemo, useRef } from 'react';
import { boundsOf, containsRect, fitBounds, viewRect } from '../../model/bounds.js';
import type { GraphIndex } from '../../model/graph-index.js';
import { heightOf, NODE_WIDTH, type Rect } from '../../model/graph.js';
import type { GraphHandle, GraphProps } from '../graph-props.js';

/** A node that the keyboard leads to is shown at least this large. */
const MIN_READABLE_ZOOM = 0.5;

/** Commands of a graph, and its first view: everything, once the size of the screen is known. */
export function useGraphCommands<T>(
  index: GraphIndex<T>,
  host: RefObject<HTMLElement | null>,
  { ref, selection }: Pick<GraphProps<T>, 'ref' | 'selection'>,
): GraphHandle {
  const store = useStoreApi();
  const { setViewport, setCenter, screenToFlowPosition } = useReactFlow();
  const latest = useRef(index);
  useEffect(() => {
    latest.current = index;
  });
  const handle = useMemo<GraphHandle>(() => {
    const focus = () => host.current?.focus({ preventScroll: true });
    const view = () => {
      const { transform, width, height } = store.getState();
      return viewRect({ x: transform[0], y: transform[1], zoom: transform[2] }, width, height);
    };
    const showRect = (rect: Rect) => {
      const zoom = store.getState().transform[2];
      if (zoom >= MIN_READABLE_ZOOM && containsRect(view(), rect)) return;
      void setCenter(rect.x + rect.width / 2, rect.y + rect.height / 2, { zoom: Math.max(zoom, MIN_READABLE_ZOOM) });
    };
    const show = (id: string) => {
      const node = latest.current.byId.get(id);
      if (node) showRect({ x: node.x, y: node.y, width: NODE_WIDTH, height: heightOf(node) });
    };
    return {
      focus,
      fit: () => {
        const { width, height } = store.getState();
        void setViewport(fitBounds(boundsOf(latest.current.nodes), width, height));
      },
      reveal: (id) => {
        focus();
        show(id);
      },
      show,
      showRect,
      toGraph: (x, y) => screenToFlowPosition({ x, y }, { snapToGrid: false }),
      center: () => {
        const { x, y, width, height } = view();
        return { x: x + width / 2, y: y + height / 2 };
      },
    };
  }, [store, host, setViewport, setCenter, screenToFlowPosition]);
  useImperativeHandle(ref, () => handle, [handle]);
  useFirstView(index, host, handle, selection.size === 1 ? [...selection][0] : undefined);
  return handle;
}

/**
 * Shows everything until the user does something: the graph, its layout and the size of the screen may arrive in any order. After
 * that, a selected node stays in view if the screen becomes smaller, as by a panel that opens.
 */
function useFirstView<T>(
  index: GraphIndex<T>,
  host: RefObject<HTMLElement | null>,
  handle: GraphHandle,
  selected: string | undefined,
): void {
  const store = useStoreApi();
  const isTouched = useRef(false);
  useEffect(() => {
    const element = host.current;
    const touch = () => {
      isTouched.current = true;
    };
    const events = ['pointerdown', 'wheel', 'keydown'] as const;
    for (const event of events) element?.addEventListener(event, touch, { capture: true, passive: true });
    return () => {
      for (const event of events) element?.removeEventListener(event, touch, { capture: true });
    };
  }, [host]);
  const bounds = boundsOf(index.nodes);
  const shape = `${bounds.x} ${bounds.y} ${bounds.width} ${bounds.height}`;
  const isEmpty = index.nodes.length === 0;
  useEffect(() => {
    if (isEmpty) return;
    const { width: startWidth, height: startHeight } = store.getState();
    let size = isTouched.current ? `${startWidth} ${startHeight}` : '';
    const follow = () => {
      const { width, height, panZoom } = store.getState();
      const next = `${width} ${height}`;
      if (next === size || width === 0 || panZoom === null) return;
      size = next;
      if (!isTouched.current) handle.fit();
      else if (selected !== undefined) handle.show(selected);
    };
    follow();
    return store.subscribe(follow);
  }, [store, handle, isEmpty, shape, selected]);
}
