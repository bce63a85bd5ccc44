import { requestLayout } from '../../../graph/layout/request-layout.js';
import type { GraphNode, Point, Rect } from '../../../graph/model/graph.js';
import { notifyError } from '../../../ui/toast.js';
import { layoutInput } from '../canvas/layout-input.js';
import { addNote } from '../edits/add-note.js';
import { type Alignment, alignNodes } from '../edits/align-nodes.js';
import { disconnect } from '../edits/connection-edits.js';
import { duplicateNodes } from '../edits/fragment.js';
import { NOTE_SIZE } from '../edits/free-place.js';
import { groupNodes } from '../edits/group-edits.js';
import { moveNodes, removeNodes } from '../edits/node-edits.js';
import { type EditorSession, GROUP_PREFIX } from './editor-session.js';
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
  moveAll(session, moves, 'Align');
}

/** Moves nodes. A collapsed group moves its members. */
export function moveAll(session: EditorSession, moves: ReadonlyMap<string, Point>, label?: string): void {
  const { positions } = session.places.get();
  const { groups } = session.document.get();
  const all = new Map<string, Point>();
  for (const [id, at] of moves) {
    if (!id.startsWith(GROUP_PREFIX)) {
      all.set(id, at);
      continue;
    }
    const members = (groups[id.slice(GROUP_PREFIX.length)]?.nodes ?? []).flatMap((member) => {
      const place = positions[member];
      return place ? [[member, place] as const] : [];
    });
    const [, first] = members[0] ?? [];
    if (!first) continue;
    for (const [member, { x, y }] of members) all.set(member, { x: x - first.x + at.x, y: y - first.y + at.y });
  }
  session.editPlaced(
    (document) => moveNodes(document, all),
    label ?? (all.size === 1 ? `Move ${[...all.keys()].join()}` : 'Move'),
  );
}

export function groupSelected(session: EditorSession): void {
  session.edit(groupNodes(session.document.get(), withMembers(session), 'Group'), 'Group');
}

/** Adds a note, which gets the focus. @returns where it is */
export function addNoteNear(session: EditorSession, near: Point): Rect {
  let rect: Rect = { ...near, ...NOTE_SIZE };
  session.editPlaced((document) => {
    const { at, diff } = addNote(document, near);
    rect = { ...at, ...NOTE_SIZE };
    return diff;
  }, 'Add a note');
  return rect;
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
