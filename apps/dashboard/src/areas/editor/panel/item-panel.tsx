import type { GraphEdge, GraphNode } from '../../../graph/model/graph.js';
import { useStore } from '../../../store/create-store.js';
import type { NodeFace } from '../canvas/derive-graph.js';
import type { EditorDialog } from '../session/dialogs.js';
import { useDocument, useEditor } from '../session/editor-context.js';
import { GROUP_PREFIX } from '../session/editor-session.js';
import { ConnectionPanel } from './connection-panel.js';
import { GroupPanel } from './group-panel.js';
import { InputPanel } from './input-panel.js';
import { ManyPanel } from './many-panel.js';
import { NodePanel } from './node-panel.js';

interface ItemPanelProps {
  graph: { nodes: readonly GraphNode<NodeFace>[]; edges: readonly GraphEdge[] };
  /** Grows each time the user opens a node, so that its panel gets the focus. */
  openCount: number;
  onDialog: (dialog: EditorDialog) => void;
}

/** What is selected: a node, an input, a connection, a group, or several. */
export function ItemPanel({ graph, openCount, onDialog }: ItemPanelProps) {
  const { session } = useEditor();
  const document = useDocument();
  const selection = useStore(session.selection);
  const edge = useStore(session.selectedEdge);
  const [id] = selection;
  if (edge !== undefined) return <ConnectionPanel id={edge} />;
  if (id === undefined) return null;
  if (selection.size > 1) return <ManyPanel nodes={graph.nodes} ids={selection} />;
  if (id.startsWith(GROUP_PREFIX)) return <GroupPanel key={id} id={id.slice(GROUP_PREFIX.length)} />;
  const [node, input] = [document.nodes[id], document.primitiveNodes[id]];
  if (node) return <NodePanel key={id} id={id} node={node} openCount={openCount} onDialog={onDialog} />;
  return input ? <InputPanel key={id} id={id} input={input} openCount={openCount} /> : null;
}
