import { change, type Diff } from '../document/diff.js';
import { connectionKey, type Document, type NodeRecord } from '../document/document.js';
import { indexConnections } from '../ports/connection-index.js';
import { writeConnection } from '../ports/read-connection.js';

/** What is wrong with a new name of a node; undefined if it can be used. */
export function checkName(document: Document, name: string, current: string): string | undefined {
  if (name === '') return 'A name has at least one character.';
  if (/[/\u0000-\u001f\u007f]/.test(name) || name === '.' || name === '..')
    return 'The name becomes a folder: it cannot contain a slash.';
  if (new TextEncoder().encode(name).length > 255) return 'A name has at most 255 bytes.';
  const isTaken = Object.hasOwn(document.nodes, name) || Object.hasOwn(document.primitiveNodes, name);
  return name !== current && isTaken ? `Another node has the name “${name}”.` : undefined;
}

/** Renames a node with everything that refers to it, except paths in scripts. */
export function renameNode(document: Document, from: string, to: string): Diff {
  if (from === to) return [];
  const table = Object.hasOwn(document.nodes, from) ? 'nodes' : 'primitiveNodes';
  const record = document[table][from];
  if (!record) return [];
  const { into, from: outgoing } = indexConnections(document);
  const touched = new Set([...(into.get(from) ?? []), ...(outgoing.get(from) ?? [])]);
  const targets = new Set((outgoing.get(from) ?? []).map(({ target }) => target));
  const renamedNodes = Object.entries(document.nodes).flatMap(([id, node]) => {
    const next = renameInside(node, from, to, targets.has(id));
    return next === node || id === from ? [] : [change(document, 'nodes', id, next)];
  });
  const own = table === 'nodes' ? renameInside(record as NodeRecord, from, to, false) : record;
  return [
    change(document, table, from, undefined),
    change(document, table, to, { ...own, name: to }),
    ...renamedNodes,
    ...[...touched].flatMap((ends) => {
      const next = writeConnection({
        ...ends,
        source: ends.source === from ? to : ends.source,
        target: ends.target === from ? to : ends.target,
      });
      return [
        change(document, 'connections', ends.key, undefined),
        change(document, 'connections', connectionKey(next), next),
      ];
    }),
    ...Object.entries(document.groups).flatMap(([key, group]) =>
      group.nodes.includes(from)
        ? [change(document, 'groups', key, { ...group, nodes: group.nodes.map((id) => (id === from ? to : id)) })]
        : [],
    ),
  ];
}

/** Entries of connections, and conditions: `nodes.sort-1.lines`. */
function renameInside(node: NodeRecord, from: string, to: string, isTarget: boolean): NodeRecord {
  const when = node.when?.replace(/nodes\.([^\s.`]+)/g, (found, name: string) =>
    name === from && /^[\w-]+$/.test(to) ? `nodes.${to}` : found,
  );
  const hasEntry = isTarget && Object.keys(node.inputs ?? {}).some((name) => name.endsWith(`/${from}`));
  if (when === node.when && !hasEntry) return node;
  const inputs = Object.fromEntries(
    Object.entries(node.inputs ?? {}).map(([name, input]) => [
      name.endsWith(`/${from}`) ? `${name.slice(0, -from.length)}${to}` : name,
      input,
    ]),
  );
  return { ...node, ...(when !== undefined && { when }), ...(hasEntry && { inputs }) };
}
