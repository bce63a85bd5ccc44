import type { OnConnect, OnConnectEnd, OnConnectStart } from '@xyflow/react';
import { useMemo } from 'react';
import type { Connecting, PortEnd } from '../connecting.js';
import type { GraphHandle, GraphProps } from '../graph-props.js';

const pointOf = (event: MouseEvent | TouchEvent): { clientX: number; clientY: number } | undefined =>
  'clientX' in event ? event : event.changedTouches[0];

/** Connecting by the mouse: from port to port, to the body of a node, or to an empty place. */
export function useConnections<T>(
  connecting: Connecting,
  handle: GraphHandle,
  { onConnect, onDropConnection }: Pick<GraphProps<T>, 'onConnect' | 'onDropConnection'>,
) {
  return useMemo(() => {
    const start: OnConnectStart = (_event, { nodeId, handleId, handleType }) => {
      if (nodeId === null || handleId === null) return;
      connecting.from.set({ node: nodeId, port: handleId, side: handleType === 'source' ? 'outputs' : 'inputs' });
    };
    const connect: OnConnect = ({ source, target, sourceHandle, targetHandle }) =>
      onConnect?.({ node: source, port: sourceHandle ?? '' }, { node: target, port: targetHandle ?? '' });
    const end: OnConnectEnd = (event, state) => {
      const from: PortEnd | null = connecting.from.get();
      connecting.from.set(null);
      const point = pointOf(event);
      if (!from || !point || state.isValid || state.toHandle) return;
      const element = document.elementFromPoint(point.clientX, point.clientY);
      const node = element?.closest<HTMLElement>('.react-flow__node')?.dataset['id'];
      if (node === from.node) return;
      if (node !== undefined) onDropConnection?.({ from, node });
      else if (element?.closest('.react-flow__pane'))
        onDropConnection?.({ from, at: handle.toGraph(point.clientX, point.clientY) });
    };
    return { start, connect, end };
  }, [connecting, handle, onConnect, onDropConnection]);
}
