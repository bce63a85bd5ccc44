import { applyDiff, type Change, diffDocuments } from './diff.js';
import type { Document, Table } from './document.js';
import { isEqual } from './is-equal.js';

/** What a record becomes. `combined` has the changes of both sides. */
export type Choice = 'mine' | 'theirs' | 'combined';

/** A record that at least one side changed. */
export interface MergeItem {
  table: Table;
  key: string;
  base: unknown;
  mine: unknown;
  theirs: unknown;
  /** Which sides changed it; `same` if both made the same change. */
  changedBy: 'me' | 'them' | 'both' | 'same';
  /** Both changes in one record, with mine where they contradict each other. */
  combined: unknown;
  /** Fields that both changed to different values. */
  contradictions: readonly string[];
}

/** Compares two edits of the same document, record by record. */
export function compareEdits(base: Document, mine: Document, theirs: Document): MergeItem[] {
  const own = changesByKey(diffDocuments(base, mine));
  const foreign = changesByKey(diffDocuments(base, theirs));
  return [...new Set([...own.keys(), ...foreign.keys()])].map((id) => {
    const [my, their] = [own.get(id), foreign.get(id)];
    const { table, key, before } = (my ?? their) as Change;
    const [mineAfter, theirsAfter] = [my ? my.after : before, their ? their.after : before];
    const contradictions: string[] = [];
    const combined = mergeValues(before, mineAfter, theirsAfter, '', contradictions);
    const changedBy = !their ? 'me' : !my ? 'them' : isEqual(mineAfter, theirsAfter) ? 'same' : 'both';
    return { table, key, base: before, mine: mineAfter, theirs: theirsAfter, changedBy, combined, contradictions };
  });
}

const changesByKey = (diff: readonly Change[]): Map<string, Change> =>
  new Map(diff.map((one) => [`${one.table} ${one.key}`, one]));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges field by field. A contradiction gives mine; a deletion yields to a change, so that no change is lost. */
function mergeValues(base: unknown, mine: unknown, theirs: unknown, path: string, contradictions: string[]): unknown {
  if (isEqual(mine, base)) return theirs;
  if (isEqual(theirs, base) || isEqual(mine, theirs)) return mine;
  if (isObject(mine) && isObject(theirs)) {
    const before = isObject(base) ? base : {};
    const merged: Record<string, unknown> = {};
    for (const field of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
      const inner = path === '' ? field : `${path}.${field}`;
      const value = mergeValues(before[field], mine[field], theirs[field], inner, contradictions);
      if (value !== undefined) merged[field] = value;
    }
    return merged;
  }
  contradictions.push(path);
  return mine ?? theirs;
}

export const idOf = ({ table, key }: Pick<MergeItem, 'table' | 'key'>): string => `${table} ${key}`;

/** Whether the user must decide: the others merge without a loss. */
export const isConflict = ({ changedBy, contradictions }: MergeItem): boolean =>
  changedBy === 'both' && contradictions.length > 0;

/** What is chosen if the user says nothing. */
export const defaultChoice = ({ changedBy }: MergeItem): Choice =>
  changedBy === 'them' ? 'theirs' : changedBy === 'both' ? 'combined' : 'mine';

/** What an item becomes: the user's choice, or else the default. A kept node keeps the connections that went with it. */
export function makeChooser(
  items: readonly MergeItem[],
  choices: ReadonlyMap<string, Choice>,
): (item: MergeItem) => Choice {
  const ofNode = new Map(
    items.flatMap((item) => (item.table === 'nodes' || item.table === 'primitiveNodes' ? [[item.key, item]] : [])),
  );
  const isKept = (node: string): boolean => {
    const item = ofNode.get(node);
    return item?.theirs === undefined && item?.[choices.get(idOf(item)) ?? defaultChoice(item)] !== undefined;
  };
  return (item) => {
    const chosen = choices.get(idOf(item));
    if (chosen !== undefined) return chosen;
    const isGone = item.table === 'connections' && item.changedBy === 'them' && item.theirs === undefined;
    return isGone && nodesOf(item.key).some(isKept) ? 'mine' : defaultChoice(item);
  };
}

const nodesOf = (connection: string): string[] => connection.split('\n').map((end) => end.split('/')[1] ?? '');

/** The newest version with the choices for each record. Connections of nodes that no longer exist are dropped. */
export function mergeEdits(
  theirs: Document,
  items: readonly MergeItem[],
  choices: ReadonlyMap<string, Choice>,
): Document {
  const choose = makeChooser(items, choices);
  const diff = items.map((item): Change => {
    const after = item[choose(item)];
    return { table: item.table, key: item.key, before: item.theirs, after };
  });
  return dropLooseEnds(applyDiff(theirs, diff), theirs, items);
}

/** One side may have connected a node that the other deleted. */
function dropLooseEnds(merged: Document, theirs: Document, items: readonly MergeItem[]): Document {
  const removed = new Set(
    items.flatMap(({ table, key }) =>
      (table === 'nodes' || table === 'primitiveNodes') && merged[table][key] === undefined ? [key] : [],
    ),
  );
  if (removed.size === 0) return merged;
  const loose = Object.keys(merged.connections).filter((key) => nodesOf(key).some((node) => removed.has(node)));
  return applyDiff(
    merged,
    loose.map((key) => ({ table: 'connections', key, before: theirs.connections[key], after: undefined })),
  );
}
