import { useConnection } from '@xyflow/react';
import { useContext } from 'react';
import { ConnectingContext, describeRefusal, type PortEnd } from './connecting.js';

/** Why the port under the pointer refuses the connection that is being drawn. */
export function ConnectionHint() {
  const { check, from } = useContext(ConnectingContext);
  const target = useConnection((connection) =>
    connection.inProgress && connection.toHandle
      ? `${connection.toHandle.type === 'target' ? 'inputs' : 'outputs'}\n${connection.toHandle.nodeId}\n${connection.toHandle.id ?? ''}`
      : '',
  );
  const start = from.get();
  const [side, node = '', port = ''] = target.split('\n');
  const reason =
    target === '' || !start ? null : describeRefusal(start, { side: side as PortEnd['side'], node, port }, check);
  return (
    <div role="status" className="pointer-events-none absolute inset-x-0 top-3 z-10 flex justify-center">
      {reason !== null && (
        <p className="wrap-text max-w-lg rounded-md border border-(--red-6) bg-failed-soft px-3 py-1.5 text-sm">
          {reason}
        </p>
      )}
    </div>
  );
}
