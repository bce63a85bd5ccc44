import type { Point } from '../../../graph/model/graph.js';
import { change, type Diff } from '../document/diff.js';
import type { Document } from '../document/document.js';
import { freshName } from './fresh-name.js';

export function addNote(document: Document, { x, y }: Point): Diff {
  const id = freshName('note', (name) => Object.hasOwn(document.annotations, name));
  return [change(document, 'annotations', id, { text: '', coordinates: { x: Math.round(x), y: Math.round(y) } })];
}
