import type { LayoutInput, Positions } from '../../../graph/layout/layout-input.js';
import { placeByLevel } from '../../../graph/layout/place-by-level.js';
import type { Point } from '../../../graph/model/graph.js';
import type { Document } from '../document/document.js';
import { coordinatesOf } from '../edits/coordinates.js';
import { layoutInput } from './layout-input.js';

export interface Placed {
  positions: Positions;
  isComplete: boolean;
  input: LayoutInput | undefined;
}

/** Sizes are needed only for a layout, and take 60 ms for 5,000 nodes. */
export function placeNodes(document: Document): Placed {
  const ids = [...Object.keys(document.primitiveNodes), ...Object.keys(document.nodes)];
  const known = new Map<string, Point>();
  for (const id of ids) {
    const at = coordinatesOf(document, id);
    if (at) known.set(id, at);
  }
  if (known.size === ids.length && areApart(known))
    return { positions: Object.fromEntries(known), isComplete: true, input: undefined };
  const input = layoutInput(document);
  return { input, positions: placeByLevel(input), isComplete: false };
}

/** Files that people write often have all nodes at the same place, as the library gives them. */
function areApart(known: ReadonlyMap<string, Point>): boolean {
  const places = new Set([...known.values()].map(({ x, y }) => `${x} ${y}`));
  return known.size < 2 || places.size > known.size / 2;
}

/**
 * Places the nodes of a document again and again. If an edit moves no node and changes no connection, the result is the same object,
 * so nothing is drawn again: that is so for each keystroke in a field.
 */
export class NodePlacer {
  private last: { document: Document; placed: Placed } | undefined;

  place(document: Document): Placed {
    const { last } = this;
    const placed = last && isPlacedAlike(last.document, document) ? last.placed : placeNodes(document);
    this.last = { document, placed };
    return placed;
  }
}

/** Compares the records that an edit has replaced: 0.5 ms for 5,000 nodes. */
function isPlacedAlike(before: Document, after: Document): boolean {
  if (before.connections !== after.connections) return false;
  for (const table of ['nodes', 'primitiveNodes'] as const) {
    const [old, next] = [before[table], after[table]];
    if (old === next) continue;
    const ids = Object.keys(next);
    if (ids.length !== Object.keys(old).length) return false;
    for (const id of ids) {
      if (old[id] === next[id]) continue;
      const [from, to] = [coordinatesOf(before, id), coordinatesOf(after, id)];
      // Without a place of its own, a node's place depends on its ports as well.
      if (!from || !to || from.x !== to.x || from.y !== to.y) return false;
    }
  }
  return true;
}
