import type { Point } from '../../../graph/model/graph.js';
import { change, type Diff } from '../document/diff.js';
import type { Document } from '../document/document.js';
import { freePlace, listRects, NOTE_SIZE } from './free-place.js';
import { freshName } from './fresh-name.js';

/** Adds an empty note at a place, or below what it would cover. */
export function addNote(document: Document, { x, y }: Point): { at: Point; diff: Diff } {
  const id = freshName('note', (name) => Object.hasOwn(document.annotations, name));
  const at = freePlace({ x: Math.round(x), y: Math.round(y), ...NOTE_SIZE }, listRects(document));
  return { at, diff: [change(document, 'annotations', id, { text: '', coordinates: at })] };
}
