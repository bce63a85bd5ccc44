import type { Point } from '../../../graph/model/graph.js';
import { change, type Change, type Diff } from '../document/diff.js';
import type { Document, InputRecord, NodeRecord } from '../document/document.js';
import { type Connected, indexConnections } from '../ports/connection-index.js';
import { placeInput, placeNode } from './coordinates.js';
import { freshName } from './fresh-name.js';

export const hasName = (document: Document, name: string): boolean =>
  Object.hasOwn(document.nodes, name) || Object.hasOwn(document.primitiveNodes, name);

/** Adds a node under a free name of its kind. @returns the name as well */
export function addNode(document: Document, kind: string, node: NodeRecord, at: Point): { name: string; diff: Diff } {
  const name = freshName(kind, (taken) => hasName(document, taken));
  return { name, diff: [change(document, 'nodes', name, placeNode({ ...node, name }, at))] };
}

/** Adds an input of the workflow. */
export function addInput(document: Document, input: InputRecord, at: Point): { name: string; diff: Diff } {
  const kind = input.type === 'FILE' ? 'file-input' : `${input.type.toLowerCase()}-input`;
  const name = freshName(kind, (taken) => hasName(document, taken));
  return { name, diff: [change(document, 'primitiveNodes', name, placeInput({ ...input, name }, at))] };
}

/** Moves nodes. Nodes that were never placed keep their drawn position, because the document's positions count only if all have one. */
export function moveNodes(document: Document, positions: ReadonlyMap<string, Point>): Diff {
  return [...positions].flatMap(([id, at]) => {
    const [node, input, annotation] = [document.nodes[id], document.primitiveNodes[id], document.annotations[id]];
    if (node) return [change(document, 'nodes', id, placeNode(node, at))];
    if (input) return [change(document, 'primitiveNodes', id, placeInput(input, at))];
    return annotation ? [change(document, 'annotations', id, { ...annotation, coordinates: at })] : [];
  });
}

/** Removes nodes, inputs and notes with their connections and their places in groups. */
export function removeNodes(document: Document, ids: ReadonlySet<string>): Diff {
  const { into, from } = indexConnections(document);
  const connections = new Set([...ids].flatMap((id) => [...(into.get(id) ?? []), ...(from.get(id) ?? [])]));
  const groups = Object.entries(document.groups).flatMap(([key, group]) => {
    const nodes = group.nodes.filter((id) => !ids.has(id));
    if (nodes.length === group.nodes.length) return [];
    return [change(document, 'groups', key, nodes.length === 0 ? undefined : { ...group, nodes })];
  });
  return [
    ...[...ids].flatMap((id) =>
      (['nodes', 'primitiveNodes', 'annotations'] as const).flatMap((table) =>
        Object.hasOwn(document[table], id) ? [change(document, table, id, undefined)] : [],
      ),
    ),
    ...withoutEntries(
      document,
      [...connections].filter(({ target }) => !ids.has(target)),
    ),
    ...[...connections].map(({ key }) => change(document, 'connections', key, undefined)),
    ...groups,
  ];
}

/** Removes the entries `<input>/<source>` that a node has for connections that end. */
export function withoutEntries(document: Document, connections: readonly Connected[]): Change[] {
  const nodes = new Map<string, NodeRecord>();
  for (const { source, target, targetPort } of connections) {
    const node = nodes.get(target) ?? document.nodes[target];
    const entry = `${targetPort}/${source}`;
    if (!node?.inputs || !Object.hasOwn(node.inputs, entry)) continue;
    const { [entry]: _removed, ...inputs } = node.inputs;
    nodes.set(target, { ...node, inputs });
  }
  return [...nodes].map(([id, node]) => change(document, 'nodes', id, node));
}

/** Replaces a node's record. */
export function updateNode(document: Document, id: string, update: (node: NodeRecord) => NodeRecord): Diff {
  const node = document.nodes[id];
  return node ? [change(document, 'nodes', id, update(node))] : [];
}

export function updateInput(document: Document, id: string, update: (input: InputRecord) => InputRecord): Diff {
  const input = document.primitiveNodes[id];
  return input ? [change(document, 'primitiveNodes', id, update(input))] : [];
}
