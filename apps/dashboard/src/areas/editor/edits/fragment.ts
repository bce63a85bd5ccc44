import type { Point } from '../../../graph/model/graph.js';
import { change, type Diff } from '../document/diff.js';
import { connectionKey, type Document, EMPTY_DOCUMENT, readDocument, writeData } from '../document/document.js';
import { indexConnections } from '../ports/connection-index.js';
import { writeConnection } from '../ports/read-connection.js';
import { coordinatesOf, placeInput, placeNode } from './coordinates.js';
import { freshName } from './fresh-name.js';
import { hasName } from './node-edits.js';

/** A part of a workflow in the form of a workflow's data: nodes, inputs, notes and the connections among them. */
export function copyFragment(document: Document, ids: ReadonlySet<string>): Record<string, unknown> {
  const pick = <T>(records: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(records).filter(([id]) => ids.has(id)));
  const inner = indexConnections(document).all.filter(({ source, target }) => ids.has(source) && ids.has(target));
  return writeData({
    ...EMPTY_DOCUMENT,
    nodes: pick(document.nodes),
    primitiveNodes: pick(document.primitiveNodes),
    annotations: pick(document.annotations),
    connections: Object.fromEntries(
      inner.flatMap(({ key }) => {
        const record = document.connections[key];
        return record ? [[key, record]] : [];
      }),
    ),
  });
}

/** Adds a copy of a part, under fresh names and moved by an offset. @returns the new names as well */
export function pasteFragment(document: Document, data: unknown, offset: Point): { names: string[]; diff: Diff } {
  const part = readDocument(data);
  const names = new Map<string, string>();
  const isTaken = (name: string) =>
    hasName(document, name) || Object.hasOwn(document.annotations, name) || [...names.values()].includes(name);
  for (const id of [...Object.keys(part.nodes), ...Object.keys(part.primitiveNodes), ...Object.keys(part.annotations)])
    names.set(id, isTaken(id) ? freshName(id, isTaken) : id);
  const rename = (id: string) => names.get(id) ?? id;
  const move = (id: string): Point => {
    const { x, y } = coordinatesOf(part, id) ?? part.annotations[id]?.coordinates ?? { x: 0, y: 0 };
    return { x: x + offset.x, y: y + offset.y };
  };
  const diff: Diff = [
    ...Object.entries(part.nodes).map(([id, node]) => {
      const inputs = renameEntries(node.inputs ?? {}, rename);
      const copy = { ...node, name: rename(id), ...(node.inputs && { inputs }) };
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
  ];
  return { names: [...names.values()], diff };
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
