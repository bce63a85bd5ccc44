import { Position, type Edge, type Node, type NodeHandle } from '@xyflow/react';
import { heightOf, NODE_WIDTH, portOffset, type GraphEdge, type GraphNode, type Point } from '../model/graph.js';
import { MIDDLE } from './graph-ports.js';

export type FlowNode<T> = Node<{ node: GraphNode<T> }>;
export type FlowEdge = Edge<{ edge: GraphEdge }>;

/** Makes the elements' records. The same node gives the same record, so that the library and React skip it. */
export class FlowNodes<T> {
  private known = new Map<string, { node: GraphNode<T>; isSelected: boolean; at: Point; flow: FlowNode<T> }>();

  make(
    nodes: readonly GraphNode<T>[],
    selection: ReadonlySet<string>,
    moved: ReadonlyMap<string, Point>,
  ): FlowNode<T>[] {
    const next: typeof this.known = new Map();
    for (const node of nodes) {
      const isSelected = selection.has(node.id);
      const at = moved.get(node.id) ?? node;
      const old = this.known.get(node.id);
      const isSame = old?.node === node && old.isSelected === isSelected && old.at.x === at.x && old.at.y === at.y;
      next.set(node.id, isSame ? old : { node, isSelected, at, flow: toFlowNode(node, isSelected, at) });
    }
    this.known = next;
    return [...next.values()].map(({ flow }) => flow);
  }
}

function toFlowNode<T>(node: GraphNode<T>, selected: boolean, { x, y }: Point): FlowNode<T> {
  const height = heightOf(node);
  return {
    id: node.id,
    type: 'node',
    position: { x, y },
    width: NODE_WIDTH,
    height,
    measured: { width: NODE_WIDTH, height },
    handles: [...handlesOf(node, height, 'inputs'), ...handlesOf(node, height, 'outputs')],
    selected,
    ariaLabel: node.description === undefined ? node.label : `${node.label}, ${node.description}`,
    ariaRole: 'group',
    data: { node },
  };
}

const PORT_SIZE = 10;

function handlesOf(node: GraphNode, height: number, side: 'inputs' | 'outputs'): NodeHandle[] {
  const place = (id: string, offset: number): NodeHandle => ({
    id,
    type: side === 'inputs' ? 'target' : 'source',
    position: side === 'inputs' ? Position.Left : Position.Right,
    x: (side === 'inputs' ? 0 : NODE_WIDTH) - PORT_SIZE / 2,
    y: offset - PORT_SIZE / 2,
    width: PORT_SIZE,
    height: PORT_SIZE,
  });
  const ports = node[side];
  return [
    place(MIDDLE, height / 2),
    ...ports.map(({ id }, index) => place(id, portOffset(height, ports.length, index))),
  ];
}

export const toFlowEdge = (edge: GraphEdge, source: GraphNode, target: GraphNode, selected: boolean): FlowEdge => ({
  id: edge.id,
  type: 'edge',
  source: edge.source,
  target: edge.target,
  sourceHandle: findPort(source.outputs, edge.sourcePort),
  targetHandle: findPort(target.inputs, edge.targetPort),
  selected,
  ariaRole: 'img',
  ariaLabel: `Connection from ${source.label} to ${target.label}`,
  data: { edge },
});

const findPort = (ports: GraphNode['inputs'], id: string | undefined): string =>
  id !== undefined && ports.some((port) => port.id === id) ? id : MIDDLE;
