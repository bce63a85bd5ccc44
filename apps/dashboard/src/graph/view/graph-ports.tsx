import { Handle, Position } from '@xyflow/react';
import { memo, useContext } from 'react';
import { heightOf, portOffset, type GraphNode, type GraphPort } from '../model/graph.js';
import { ConnectingContext, usePortState } from './connecting.js';

/** The id of the point in the middle of a side, where connections without ports end. */
export const MIDDLE = '~';

/** The ports of a node, for its own component. */
export const GraphPorts = memo(({ node }: { node: GraphNode }) => (
  <>
    <Side node={node} side="inputs" />
    <Side node={node} side="outputs" />
  </>
));

function Side({ node, side }: { node: GraphNode; side: 'inputs' | 'outputs' }) {
  const ports = node[side];
  const height = heightOf(node);
  return (
    <>
      <Handle
        id={MIDDLE}
        type={side === 'inputs' ? 'target' : 'source'}
        position={side === 'inputs' ? Position.Left : Position.Right}
        isConnectable={false}
        className="invisible"
      />
      {ports.map((port, index) => (
        <Port key={port.id} node={node.id} port={port} side={side} top={portOffset(height, ports.length, index)} />
      ))}
    </>
  );
}

interface PortProps {
  node: string;
  port: GraphPort;
  side: 'inputs' | 'outputs';
  top: number;
}

const LOOKS = {
  idle: '',
  origin: 'graph-port-origin',
  fits: 'graph-port-fits',
  refused: 'graph-port-refused',
};

function Port({ node, port, side, top }: PortProps) {
  const { isEnabled } = useContext(ConnectingContext);
  const look = usePortState({ node, port: port.id, side });
  return (
    <Handle
      id={port.id}
      type={side === 'inputs' ? 'target' : 'source'}
      position={side === 'inputs' ? Position.Left : Position.Right}
      isConnectable={isEnabled}
      title={look.state === 'refused' ? look.reason : port.label}
      data-port={port.id}
      style={{ top }}
      className={`graph-port ${LOOKS[look.state]}`}
    />
  );
}
