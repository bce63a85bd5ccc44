import { type Diff, diffDocuments } from '../document/diff.js';
import type { Document } from '../document/document.js';

const known = new WeakMap<Document, WeakMap<Document, Diff>>();

/** What was edited since a version. Compared once per pair of documents. */
export function changesSince(base: Document, current: Document): Diff {
  const byBase = known.get(current) ?? new WeakMap<Document, Diff>();
  known.set(current, byBase);
  const old = byBase.get(base);
  if (old) return old;
  const diff = diffDocuments(base, current);
  byBase.set(base, diff);
  return diff;
}
