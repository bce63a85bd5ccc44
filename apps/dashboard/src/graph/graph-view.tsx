import '@xyflow/react/dist/base.css';
import './view/graph.css';
import { ReactFlowProvider } from '@xyflow/react';
import type { GraphProps } from './view/graph-props.js';
import { GraphSurface } from './view/graph-surface.js';

export type { Drop, GraphHandle, GraphProps, NodeViewProps } from './view/graph-props.js';
export type { CheckConnection, PortEnd } from './view/connecting.js';
export { GraphPorts } from './view/graph-ports.js';

/**
 * A graph to pan, zoom and select in, with up to 5,000 nodes. It keeps no state of the page: nodes, edges and selection are
 * properties, and changes are reported. Load it lazily; it weighs 60 kB.
 */
export const GraphView = <T,>(props: GraphProps<T>) => (
  <ReactFlowProvider>
    <GraphSurface {...props} />
  </ReactFlowProvider>
);
