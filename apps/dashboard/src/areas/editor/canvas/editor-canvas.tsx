import { type KeyboardEvent, memo, type RefObject, useCallback, useMemo } from 'react';
import {
  type CheckConnection,
  type Drop,
  type GraphHandle,
  GraphView,
  type PortEnd,
} from '../../../graph/graph-view.js';
import type { GraphEdge, GraphNode, Point } from '../../../graph/model/graph.js';
import { useStore } from '../../../store/create-store.js';
import { connectPorts } from '../edits/connection-edits.js';
import { updateGroup } from '../edits/group-edits.js';
import { addItem, placeAfter } from '../library/add-item.js';
import { ITEM_TYPE } from '../library/library-drawer.js';
import type { LibraryItem } from '../library/library-item.js';
import { checkPorts, fittingPorts } from '../ports/check-ports.js';
import { listOutputs } from '../ports/list-ports.js';
import type { EditorDialog } from '../session/dialogs.js';
import { deleteSelected, moveAll } from '../session/editor-actions.js';
import { useEditor } from '../session/editor-context.js';
import { GROUP_PREFIX, type EditorSession } from '../session/editor-session.js';
import { CanvasBackdrop } from './canvas-backdrop.js';
import type { NodeFace } from './derive-graph.js';
import { NodeCard } from './node-card.js';

interface EditorCanvasProps {
  graph: { nodes: readonly GraphNode<NodeFace>[]; edges: readonly GraphEdge[] };
  handle: RefObject<GraphHandle | null>;
  /** The library entry that is being dragged: browsers hide the data of a drag until it is dropped. */
  dragged: RefObject<LibraryItem | null>;
  onOpenNode: (id: string) => void;
  onDialog: (dialog: EditorDialog) => void;
}

/** The workflow as a graph to edit. A keystroke in the panel beside it must not render it. */
export const EditorCanvas = memo(function EditorCanvas({
  graph,
  handle,
  dragged,
  onOpenNode,
  onDialog,
}: EditorCanvasProps) {
  const { session, workflow, canEdit } = useEditor();
  const selection = useStore(session.selection);
  const selectedEdge = useStore(session.selectedEdge);
  const check = useCallback<CheckConnection>(
    (source, target) => checkPorts(session.document.get(), source, target),
    [session],
  );
  const connect = useCallback(
    (source: Omit<PortEnd, 'side'>, target: Omit<PortEnd, 'side'>) => {
      session.edit(
        connectPorts(session.document.get(), {
          source: source.node,
          sourcePort: source.port,
          target: target.node,
          targetPort: target.port,
        }),
        'Connect',
      );
    },
    [session],
  );
  const drop = useCallback(
    (dropped: Drop) => {
      if ('at' in dropped) return onDialog({ kind: 'insert', from: dropped.from, at: besideDrop(dropped) });
      const fitting = fittingPorts(session.document.get(), dropped.from, dropped.node).filter(
        ({ reason }) => reason === null,
      );
      const [only] = fitting;
      if (!only || fitting.length > 1) return onDialog({ kind: 'ports', from: dropped.from, node: dropped.node });
      const other = { node: dropped.node, port: only.port };
      if (dropped.from.side === 'outputs') connect(dropped.from, other);
      else connect(other, dropped.from);
    },
    [session, connect, onDialog],
  );
  const open = useCallback(
    (id: string) => {
      if (id.startsWith(GROUP_PREFIX))
        session.edit(
          updateGroup(session.document.get(), id.slice(GROUP_PREFIX.length), { is_collapsed: false }),
          'Open the group',
        );
      else onOpenNode(id);
    },
    [session, onOpenNode],
  );
  const editing = useMemo(
    () =>
      canEdit
        ? {
            onMove: (moves: ReadonlyMap<string, Point>) => moveAll(session, moves),
            checkConnection: check,
            onConnect: connect,
            onDropConnection: drop,
            onDelete: () => deleteSelected(session),
          }
        : {},
    [canEdit, session, check, connect, drop],
  );
  const onTab = (event: KeyboardEvent) => {
    const [id] = selection;
    const isOnGraph = event.target instanceof Element && event.target.getAttribute('role') === 'application';
    if (event.key !== 'Tab' || event.shiftKey || !canEdit || !isOnGraph || id === undefined || selection.size > 1)
      return;
    event.preventDefault();
    event.stopPropagation();
    onDialog(insertAfter(session, graph.nodes, id));
  };
  return (
    <div
      className="relative min-h-0 min-w-0 flex-1"
      onKeyDownCapture={onTab}
      onDragOver={(event) => {
        if (canEdit && event.dataTransfer.types.includes(ITEM_TYPE)) event.preventDefault();
      }}
      onDrop={(event) => {
        const item = dragged.current;
        if (!item || !handle.current) return;
        event.preventDefault();
        const { x, y } = handle.current.toGraph(event.clientX, event.clientY);
        void addItem(session, item, { x: x - 100, y: y - 28 });
      }}
    >
      <GraphView
        ref={handle}
        label={`Workflow ${workflow.name}`}
        nodes={graph.nodes}
        edges={graph.edges}
        NodeView={NodeCard}
        selection={selection}
        onSelect={(ids) => session.select(ids)}
        selectedEdge={selectedEdge}
        onSelectEdge={(edge) => session.selectedEdge.set(edge)}
        onOpen={open}
        backdrop={<CanvasBackdrop nodes={graph.nodes} />}
        {...editing}
      />
    </div>
  );
});

/** Where a node is added for a connection that was dropped there: the new node's port is under the pointer. */
const besideDrop = ({ from, at }: Extract<Drop, { at: Point }>): Point =>
  from.side === 'outputs' ? { x: at.x, y: at.y - 28 } : { x: at.x - 200, y: at.y - 28 };

/** A dialog that adds a node after another, connected with its first output. */
export function insertAfter(session: EditorSession, nodes: readonly GraphNode[], id: string): EditorDialog {
  const node = nodes.find((one) => one.id === id);
  const record = session.document.get().nodes[id];
  const port = record ? listOutputs(record)[0]?.name : 'output';
  return {
    kind: 'insert',
    at: placeAfter(node ?? { x: 0, y: 0 }, nodes),
    ...(port !== undefined && { from: { node: id, port, side: 'outputs' } }),
  };
}
