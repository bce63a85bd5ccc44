import { ReactFlow, SelectionMode, ViewportPortal, type NodeProps } from '@xyflow/react';
import { useCallback, useId, useMemo, useRef, useState } from 'react';
import { MAX_ZOOM, MIN_ZOOM } from '../model/bounds.js';
import { indexGraph } from '../model/graph-index.js';
import { selectVisible } from '../model/select-visible.js';
import { useColors } from '../paint/use-colors.js';
import { CanvasLayer } from './canvas-layer.js';
import { ConnectingContext, createConnecting } from './connecting.js';
import { ConnectionHint } from './connection-hint.js';
import { DragOutlines } from './drag-outlines.js';
import { FlowEdgeLine } from './flow-edge.js';
import { type FlowNode, FlowNodes, toFlowEdge } from './flow-nodes.js';
import type { GraphProps } from './graph-props.js';
import { useCanvasDrag } from './hooks/use-canvas-drag.js';
import { useConnections } from './hooks/use-connections.js';
import { useDrag } from './hooks/use-drag.js';
import { useGraphCommands } from './hooks/use-graph-commands.js';
import { useGraphKeys } from './hooks/use-graph-keys.js';
import { usePointing } from './hooks/use-pointing.js';
import { useRegion } from './hooks/use-region.js';
import { Minimap } from './minimap.js';
import { NodeList } from './node-list.js';
import { ZoomButtons } from './zoom-buttons.js';

const EDGE_TYPES = { edge: FlowEdgeLine };

/** The graph inside of xyflow's provider. It gives xyflow only what is in view, and draws the rest on a canvas. */
export function GraphSurface<T>(props: GraphProps<T>) {
  const { nodes, edges, NodeView, selection, selectedEdge, onSelectEdge, checkConnection } = props;
  const host = useRef<HTMLDivElement>(null);
  const hintId = useId();
  const colors = useColors(host);
  const region = useRegion();
  const index = useMemo(() => indexGraph(nodes, edges), [nodes, edges]);
  const handle = useGraphCommands(index, host, props);
  const onKeyDown = useGraphKeys(index, props, handle.reveal);
  const pointing = usePointing(index, handle, props);
  const canvasDrag = useCanvasDrag(index, handle, props);
  const { moved, onNodesChange, finish } = useDrag(index.byId, selection, props.onMove);
  const connecting = useMemo(() => createConnecting(checkConnection), [checkConnection]);
  const connections = useConnections(connecting, handle, props);

  const isMoving = moved.size > 0;
  const moving = useMemo(() => (isMoving ? new Set(selection) : new Set<string>()), [isMoving, selection]);
  const visible = useMemo(() => (region ? selectVisible(index, region, moving) : undefined), [index, region, moving]);
  const [flowNodes] = useState(() => new FlowNodes<T>());
  const elements = useMemo(
    () => flowNodes.make(visible?.nodes ?? [], selection, moved),
    [flowNodes, visible, selection, moved],
  );
  const lines = useMemo(
    () =>
      [...(visible?.elementLinks ?? [])].flatMap((position) => {
        const link = index.links[position];
        return link ? [toFlowEdge(link.edge, link.source, link.target, link.edge.id === selectedEdge)] : [];
      }),
    [visible, index, selectedEdge],
  );
  const nodeTypes = useMemo(
    () => ({
      node: ({ data, selected }: NodeProps<FlowNode<T>>) => <NodeView node={data.node} isSelected={selected} />,
    }),
    [NodeView],
  );
  const isValid = useCallback(
    (connection: { source: string; target: string; sourceHandle?: string | null; targetHandle?: string | null }) =>
      connecting.check(
        { node: connection.source, port: connection.sourceHandle ?? '' },
        { node: connection.target, port: connection.targetHandle ?? '' },
      ) === null,
    [connecting],
  );

  return (
    <ConnectingContext value={connecting}>
      <div
        ref={host}
        // The arrows walk through the graph, so screen readers must pass them on.
        role="application"
        aria-label={props.label}
        aria-describedby={hintId}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onDoubleClick={pointing.openAt}
        {...canvasDrag.handlers}
        className="relative size-full overflow-clip bg-page outline-offset-[-2px]"
      >
        {region && visible && colors && <CanvasLayer {...{ index, region, visible, selection, moving, colors }} />}
        <ReactFlow<FlowNode<T>>
          nodes={elements}
          edges={lines}
          nodeTypes={nodeTypes}
          edgeTypes={EDGE_TYPES}
          onNodesChange={(changes) => {
            onNodesChange(changes);
            pointing.changeFrame(changes);
          }}
          onNodeClick={(event, { id }) => pointing.select(event, id)}
          onNodeDoubleClick={(_event, { id }) => props.onOpen?.(id)}
          onNodeDragStart={(_event, { id }) => pointing.grab(id)}
          onNodeDragStop={finish}
          onSelectionStart={pointing.beginFrame}
          onSelectionEnd={pointing.endFrame}
          onPaneClick={pointing.clickPane}
          onEdgeClick={(_event, { id }) => {
            handle.focus();
            props.onSelect(new Set());
            onSelectEdge?.(id);
          }}
          onConnectStart={connections.start}
          onConnect={connections.connect}
          onConnectEnd={connections.end}
          isValidConnection={isValid}
          nodesDraggable={props.onMove !== undefined}
          nodesConnectable={checkConnection !== undefined}
          nodesFocusable={false}
          edgesFocusable={false}
          disableKeyboardA11y
          deleteKeyCode={null}
          selectionKeyCode="Shift"
          selectionMode={SelectionMode.Partial}
          multiSelectionKeyCode={null}
          minZoom={MIN_ZOOM}
          maxZoom={MAX_ZOOM}
          panOnScroll
          zoomOnDoubleClick={false}
          connectionRadius={18}
          nodeDragThreshold={3}
          attributionPosition="bottom-left"
        >
          {props.backdrop !== undefined && <ViewportPortal>{props.backdrop}</ViewportPortal>}
          <ViewportPortal>
            <DragOutlines index={index} drag={canvasDrag.drag} />
          </ViewportPortal>
          {connecting.isEnabled && <ConnectionHint />}
        </ReactFlow>
        <div className="absolute right-3 bottom-3 z-10 flex items-end gap-2">
          {colors && nodes.length > 1 && <Minimap nodes={nodes} colors={colors} />}
          <ZoomButtons onFit={handle.fit} />
        </div>
        {props.children}
        <p id={hintId} className="sr-only">
          Arrow keys go from node to node along the connections. Enter opens a node, Escape clears the selection.
        </p>
        <NodeList index={index} current={[...selection].at(-1)} />
      </div>
    </ConnectingContext>
  );
}
