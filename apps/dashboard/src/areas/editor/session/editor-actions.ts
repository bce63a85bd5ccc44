import { requestLayout } from '../../../graph/layout/request-layout.js';
import type { GraphNode } from '../../../graph/model/graph.js';
import { notifyError } from '../../../ui/toast.js';
import { layoutInput } from '../canvas/layout-input.js';
import { type Alignment, alignNodes } from '../edits/align-nodes.js';
import { disconnect } from '../edits/connection-edits.js';
import { duplicateNodes } from '../edits/fragment.js';
import { groupNodes } from '../edits/group-edits.js';
import { moveNodes, removeNodes } from '../edits/node-edits.js';
import type { EditorSession } from './editor-session.js';
import { withMembers } from './selected-nodes.js';

/** Deletes what is selected: nodes with their connections, or one connection. */
export function deleteSelected(session: EditorSession): void {
  const edge = session.selectedEdge.get();
  const ids = withMembers(session);
  if (edge !== undefined) session.edit(disconnect(session.document.get(), [edge]), 'Disconnect');
  else if (ids.size > 0)
    session.edit(
      removeNodes(session.document.get(), ids),
      ids.size === 1 ? `Delete ${[...ids].join()}` : `Delete ${ids.size} nodes`,
    );
}

export function duplicateSelected(session: EditorSession): void {
  const ids = withMembers(session);
  if (ids.size === 0) return;
  let names: string[] = [];
  session.editPlaced((document) => {
    const copies = duplicateNodes(document, ids);
    ({ names } = copies);
    return copies.diff;
  }, 'Duplicate');
  session.select(names);
}

export function selectAll(session: EditorSession): void {
  const { nodes, primitiveNodes } = session.document.get();
  session.select([...Object.keys(primitiveNodes), ...Object.keys(nodes)]);
}

export function alignSelected(session: EditorSession, nodes: readonly GraphNode[], alignment: Alignment): void {
  const selection = session.selection.get();
  const moves = alignNodes(
    nodes.filter(({ id }) => selection.has(id)),
    alignment,
  );
  session.editPlaced((document) => moveNodes(document, moves), 'Align');
}

export function groupSelected(session: EditorSession): void {
  session.edit(groupNodes(session.document.get(), withMembers(session), 'Group'), 'Group');
}

/** Moves the selected nodes a little, with the keyboard. */
export function nudgeSelected(session: EditorSession, dx: number, dy: number): void {
  const { positions } = session.places.get();
  const moves = [...withMembers(session)].flatMap((id) => {
    const at = positions[id];
    return at ? [[id, { x: at.x + dx, y: at.y + dy }] as const] : [];
  });
  session.editPlaced((document) => moveNodes(document, new Map(moves)), 'Move');
}

/** Lays all nodes out again. */
export async function layoutAll(session: EditorSession): Promise<void> {
  try {
    const positions = await requestLayout(layoutInput(session.document.get()));
    session.edit(moveNodes(session.document.get(), new Map(Object.entries(positions))), 'Lay out');
  } catch (error) {
    notifyError('The nodes could not be laid out', error);
  }
}
