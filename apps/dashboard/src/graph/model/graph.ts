/** Colours of nodes: by status in runs, by type in the editor. */
export type GraphTone = 'neutral' | 'accent' | 'queued' | 'running' | 'succeeded' | 'failed' | 'stopped';

/** A point where connections start or end. */
export interface GraphPort {
  id: string;
  label: string;
}

/** A node as it is drawn. `data` is what the page's own node component shows. */
export interface GraphNode<T = unknown> {
  id: string;
  x: number;
  y: number;
  /** The name, as the canvas and screen readers show it. */
  label: string;
  /** What screen readers read after the label, such as "tool, 2 problems". */
  description?: string;
  tone: GraphTone;
  /** At the left side, from top to bottom. */
  inputs: readonly GraphPort[];
  /** At the right side. */
  outputs: readonly GraphPort[];
  data: T;
}

export interface GraphEdge {
  id: string;
  source: string;
  target: string;
  /** Ids of ports; without them the line ends in the middle of the side. */
  sourcePort?: string;
  targetPort?: string;
  tone?: GraphTone;
  isDashed?: boolean;
}

export interface Point {
  x: number;
  y: number;
}

export interface Rect extends Point {
  width: number;
  height: number;
}

export const NODE_WIDTH = 200;
export const NODE_HEIGHT = 56;
/** Ports of one side that a node of the usual height has room for. */
const PORTS_PER_HEIGHT = 4;
const PORT_DISTANCE = 12;

type Sized = Pick<GraphNode, 'inputs' | 'outputs'>;

/** Nodes with many ports are higher. */
export function heightOf({ inputs, outputs }: Sized): number {
  const ports = Math.max(inputs.length, outputs.length);
  return NODE_HEIGHT + Math.max(0, ports - PORTS_PER_HEIGHT) * PORT_DISTANCE;
}

/** The distance of a port from the top of its node. */
export const portOffset = (height: number, count: number, index: number): number =>
  height / 2 + (index - (count - 1) / 2) * PORT_DISTANCE;

/** Where an edge meets its node. */
export function edgeEnd(node: GraphNode, side: 'inputs' | 'outputs', port: string | undefined): Point {
  const height = heightOf(node);
  const ports = node[side];
  const index = port === undefined ? -1 : ports.findIndex(({ id }) => id === port);
  return {
    x: side === 'inputs' ? node.x : node.x + NODE_WIDTH,
    y: node.y + (index < 0 ? height / 2 : portOffset(height, ports.length, index)),
  };
}
