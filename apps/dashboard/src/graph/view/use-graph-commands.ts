import { useReactFlow, useStoreApi } from '@xyflow/react';
import { type RefObject, useEffect, useImperativeHandle, useMemo, useRef } from 'react';
import { boundsOf, containsRect, fitBounds, viewRect } from '../model/bounds.js';
import type { GraphIndex } from '../model/graph-index.js';
import { heightOf, NODE_WIDTH } from '../model/graph.js';
import type { GraphHandle, GraphProps } from './graph-props.js';

/** A node that the keyboard leads to is shown at least this large. */
const MIN_READABLE_ZOOM = 0.5;

/** Commands of a graph, and its first view: everything, once the size of the screen is known. */
export function useGraphCommands<T>(
  index: GraphIndex<T>,
  host: RefObject<HTMLElement | null>,
  ref: GraphProps<T>['ref'],
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
    return {
      focus,
      fit: () => {
        const { width, height } = store.getState();
        void setViewport(fitBounds(boundsOf(latest.current.nodes), width, height));
      },
      reveal: (id) => {
        focus();
        const node = latest.current.byId.get(id);
        if (!node) return;
        const zoom = store.getState().transform[2];
        const rect = { x: node.x, y: node.y, width: NODE_WIDTH, height: heightOf(node) };
        if (zoom >= MIN_READABLE_ZOOM && containsRect(view(), rect)) return;
        void setCenter(rect.x + rect.width / 2, rect.y + rect.height / 2, { zoom: Math.max(zoom, MIN_READABLE_ZOOM) });
      },
      toGraph: (x, y) => screenToFlowPosition({ x, y }, { snapToGrid: false }),
      center: () => {
        const { x, y, width, height } = view();
        return { x: x + width / 2, y: y + height / 2 };
      },
    };
  }, [store, host, setViewport, setCenter, screenToFlowPosition]);
  useImperativeHandle(ref, () => handle, [handle]);
  const isEmpty = index.nodes.length === 0;
  useEffect(() => {
    if (isEmpty) return;
    const start = () => {
      if (store.getState().width === 0 || store.getState().panZoom === null) return false;
      handle.fit();
      return true;
    };
    if (start()) return;
    const unsubscribe = store.subscribe(() => {
      if (start()) unsubscribe();
    });
    return unsubscribe;
  }, [store, handle, isEmpty]);
  return handle;
}
