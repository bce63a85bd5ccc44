import type { PortEnd } from '../../../graph/graph-view.js';
import { NODE_HEIGHT, NODE_WIDTH, type Point } from '../../../graph/model/graph.js';
import { notifyError } from '../../../ui/toast.js';
import { applyDiff, squashDiffs } from '../document/diff.js';
import type { Document } from '../document/document.js';
import { connectPorts } from '../edits/connection-edits.js';
import { addInput, addNode } from '../edits/node-edits.js';
import { fittingPorts } from '../ports/check-ports.js';
import type { EditorSession } from '../session/editor-session.js';
import type { LibraryItem } from './library-item.js';

/** Adds a library entry at a place, connects it if a port is given, and selects it. It is one step to undo. */
export async function addItem(session: EditorSession, item: LibraryItem, at: Point, from?: PortEnd): Promise<void> {
  try {
    const made = await item.make();
    let name = '';
    session.editPlaced((document) => {
      const added =
        made.table === 'nodes' ? addNode(document, made.kind, made.node, at) : addInput(document, made.input, at);
      name = added.name;
      const connected = from ? connectTo(applyDiff(document, added.diff), from, name) : [];
      return squashDiffs(added.diff, connected);
    }, `Add ${item.label}`);
    session.select([name]);
  } catch (error) {
    notifyError(`“${item.label}” could not be added`, error);
  }
}

function connectTo(document: Document, from: PortEnd, name: string) {
  const fitting = fittingPorts(document, from, name).find(({ reason }) => reason === null);
  if (!fitting) return [];
  const other = { node: name, port: fitting.port };
  const [source, target] = from.side === 'outputs' ? [from, other] : [other, from];
  return connectPorts(document, {
    source: source.node,
    sourcePort: source.port,
    target: target.node,
    targetPort: target.port,
  });
}

/** A free place to the right of a node: below the nodes that are already there. */
export function placeAfter(node: Point, others: readonly Point[]): Point {
  const x = node.x + NODE_WIDTH + 88;
  let { y } = node;
  const isTaken = (): boolean =>
    others.some((other) => Math.abs(other.x - x) < NODE_WIDTH && Math.abs(other.y - y) < NODE_HEIGHT + 8);
  while (isTaken()) y += NODE_HEIGHT + 32;
  return { x, y };
}

/** A free place at or below a point. */
export function placeNear(point: Point, others: readonly Point[]): Point {
  return placeAfter({ x: point.x - NODE_WIDTH - 88 - NODE_WIDTH / 2, y: point.y - NODE_HEIGHT / 2 }, others);
}
