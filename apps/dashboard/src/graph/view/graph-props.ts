import type { ComponentType, ReactNode, Ref } from 'react';
import type { GraphEdge, GraphNode, Point, Rect } from '../model/graph.js';
import type { CheckConnection, PortEnd } from './connecting.js';

/** What the page's own node component gets. It fills a box of `NODE_WIDTH` × `heightOf(node)`, and contains `<GraphPorts>`. */
export interface NodeViewProps<T> {
  node: GraphNode<T>;
  isSelected: boolean;
}

/** Where a connection was dropped that ends at no port. */
export type Drop = { from: PortEnd; node: string } | { from: PortEnd; at: Point };

export interface GraphProps<T> {
  /** What the graph is, for screen readers, such as "Workflow Hosts". */
  label: string;
  /** Keep a node's record while it does not change: records are compared by identity. */
  nodes: readonly GraphNode<T>[];
  edges: readonly GraphEdge[];
  /** Wrap it in `memo`, and define it outside of components. */
  NodeView: ComponentType<NodeViewProps<T>>;
  selection: ReadonlySet<string>;
  onSelect: (selection: ReadonlySet<string>) => void;
  selectedEdge?: string | undefined;
  onSelectEdge?: (edge: string | undefined) => void;
  /** Enter or a double click on a node. */
  onOpen?: (node: string) => void;
  /** Without it, nodes stay where they are. */
  onMove?: (moves: ReadonlyMap<string, Point>) => void;
  /** Without it, nothing can be connected. */
  checkConnection?: CheckConnection;
  onConnect?: (source: Omit<PortEnd, 'side'>, target: Omit<PortEnd, 'side'>) => void;
  onDropConnection?: (drop: Drop) => void;
  /** Delete or Backspace: the selected nodes, or the selected edge. */
  onDelete?: () => void;
  /** Drawn behind the nodes, in coordinates of the graph. */
  backdrop?: ReactNode;
  /** Drawn above the graph, in coordinates of the screen. */
  children?: ReactNode;
  ref?: Ref<GraphHandle>;
}

/** Commands for a graph that is shown. */
export interface GraphHandle {
  /** Shows all nodes. */
  fit: () => void;
  /** Moves the view to a node, if it is not in view, and gives the graph the focus. */
  reveal: (node: string) => void;
  /** The same without the focus. */
  show: (node: string) => void;
  /** Brings a part of the graph into view. */
  showRect: (rect: Rect) => void;
  focus: () => void;
  /** The point of the graph under a point of the window. */
  toGraph: (clientX: number, clientY: number) => Point;
  /** The middle of what the screen shows. */
  center: () => Point;
}
