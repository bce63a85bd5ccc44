import type { Positions } from '../../../graph/layout/layout-input.js';
import type { Point } from '../../../graph/model/graph.js';
import { placeNodes } from '../canvas/place-nodes.js';
import { applyDiff, change, type Diff } from '../document/diff.js';
import { connectionKey, type Document, EMPTY_DOCUMENT, readDocument, writeData } from '../document/document.js';
import { indexConnections } from '../ports/connection-index.js';
import { writeConnection } from '../ports/read-connection.js';
import { coordinatesOf, placeInput, placeNode } from './coordinates.js';
import { boundsOfRects, freePlace, listRects } from './free-place.js';
import { freshName } from './fresh-name.js';
import { hasName, moveNodes } from './node-edits.js';
import { renameInCondition, renameInScript } from './rename-node.js';

/**
 * A part of a workflow in the form of a workflow's data: nodes, inputs, notes, the connections among them, and the groups that are
 * in it as a whole.
 * @param positions where the nodes are drawn, for those that the document does not place
 */
export function copyFragment(
  document: Document,
  ids: ReadonlySet<string>,
  positions: Positions = {},
): Record<string, unknown> {
  const pick = <T>(records: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(records).filter(([id]) => ids.has(id)));
  const inner = indexConnections(document).all.filter(({ source, target }) => ids.has(source) && ids.has(target));
  const part: Document = {
    ...EMPTY_DOCUMENT,
    nodes: pick(document.nodes),
    primitiveNodes: pick(document.primitiveNodes),
    annotations: pick(document.annotations),
    groups: Object.fromEntries(
      Object.entries(document.groups).filter(([, { nodes }]) => nodes.length > 0 && nodes.every((id) => ids.has(id))),
    ),
    connections: Object.fromEntries(
      inner.flatMap(({ key }) => {
        const record = document.connections[key];
        return record ? [[key, record]] : [];
      }),
    ),
  };
  return writeData(applyDiff(part, moveNodes(part, new Map(Object.entries(positions)))));
}

/**
 * Adds a copy of a part under fresh names, moved by an offset, and further down if it would cover what is there.
 * @returns the new names as well
 */
export function pasteFragment(document: Document, data: unknown, offset: Point): { names: string[]; diff: Diff } {
  const part = placeAll(readDocument(data));
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const isTaken = (name: string) =>
    hasName(document, name) || Object.hasOwn(document.annotations, name) || taken.has(name);
  for (const id of [
    ...Object.keys(part.nodes),
    ...Object.keys(part.primitiveNodes),
    ...Object.keys(part.annotations),
  ]) {
    const name = isTaken(id) ? freshName(id, isTaken) : id;
    names.set(id, name);
    taken.add(name);
  }
  const rename = (id: string) => names.get(id) ?? id;
  const by = freeOffset(document, part, offset);
  const move = (id: string): Point => {
    const { x, y } = coordinatesOf(part, id) ?? part.annotations[id]?.coordinates ?? { x: 0, y: 0 };
    return { x: x + by.x, y: y + by.y };
  };
  const diff: Diff = [
    ...Object.entries(part.nodes).map(([id, node]) => {
      const copy = {
        ...node,
        name: rename(id),
        ...(node.inputs && { inputs: renameEntries(node.inputs, rename) }),
        ...(node.when && { when: renameInCondition(node.when, rename) }),
        ...(node.script?.source && {
          script: { ...node.script, source: renameInScript(node.script.source, rename) },
        }),
      };
      return change(document, 'nodes', rename(id), placeNode(copy, move(id)));
    }),
    ...Object.entries(part.primitiveNodes).map(([id, input]) =>
      change(document, 'primitiveNodes', rename(id), placeInput({ ...input, name: rename(id) }, move(id))),
    ),
    ...Object.entries(part.annotations).map(([id, note]) =>
      change(document, 'annotations', rename(id), { ...note, coordinates: move(id) }),
    ),
    ...indexConnections(part).all.flatMap((ends) => {
      if (!names.has(ends.source) || !names.has(ends.target)) return [];
      const record = writeConnection({ ...ends, source: rename(ends.source), target: rename(ends.target) });
      return [change(document, 'connections', connectionKey(record), record)];
    }),
    ...pasteGroups(document, part, names),
  ];
  return { names: [...names.values()], diff };
}

/** Files that people write do not place their nodes. */
function placeAll(part: Document): Document {
  const { positions, isComplete } = placeNodes(part);
  return isComplete ? part : applyDiff(part, moveNodes(part, new Map(Object.entries(positions))));
}

function freeOffset(document: Document, part: Document, offset: Point): Point {
  const bounds = boundsOfRects(listRects(part));
  if (!bounds) return offset;
  const at = freePlace({ ...bounds, x: bounds.x + offset.x, y: bounds.y + offset.y }, listRects(document));
  return { x: at.x - bounds.x, y: at.y - bounds.y };
}

function pasteGroups(document: Document, part: Document, names: ReadonlyMap<string, string>): Diff {
  const keys = new Set(Object.keys(document.groups));
  return Object.entries(part.groups).flatMap(([old, group]) => {
    const nodes = (Array.isArray(group.nodes) ? group.nodes : []).flatMap((id) => names.get(id) ?? []);
    if (nodes.length === 0) return [];
    const key = keys.has(old) ? freshName('group', (name) => keys.has(name)) : old;
    keys.add(key);
    return [change(document, 'groups', key, { ...group, nodes })];
  });
}

const renameEntries = <T>(inputs: Record<string, T>, rename: (id: string) => string): Record<string, T> =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => {
      const slash = name.lastIndexOf('/');
      return [slash < 0 ? name : `${name.slice(0, slash + 1)}${rename(name.slice(slash + 1))}`, input];
    }),
  );

/** A second copy of nodes beside the first. */
export const duplicateNodes = (document: Document, ids: ReadonlySet<string>): { names: string[]; diff: Diff } =>
  pasteFragment(document, copyFragment(document, ids), { x: 40, y: 40 });
