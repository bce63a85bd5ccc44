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

/** Renames a node with everything that refers to it. */
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

/** Entries of connections, conditions, and the paths in scripts that take the node's output. */
function renameInside(node: NodeRecord, from: string, to: string, isTarget: boolean): NodeRecord {
  const when = node.when && renameInCondition(node.when, (name) => (name === from ? to : name));
  const hasEntry = isTarget && Object.keys(node.inputs ?? {}).some((name) => name.endsWith(`/${from}`));
  const source = isTarget && node.script?.source;
  const script = source ? renameInScript(source, (name) => (name === from ? to : name)) : source;
  if (when === node.when && !hasEntry && script === source) return node;
  const inputs = Object.fromEntries(
    Object.entries(node.inputs ?? {}).map(([name, input]) => [
      name.endsWith(`/${from}`) ? `${name.slice(0, -from.length)}${to}` : name,
      input,
    ]),
  );
  return {
    ...node,
    ...(typeof when === 'string' && { when }),
    ...(hasEntry && { inputs }),
    ...(script && script !== source && { script: { ...node.script, source: script } }),
  };
}

/** A script finds the output of a node in `in/<name>/`. */
export const renameInScript = (source: string, rename: (name: string) => string): string =>
  source.replace(/(?<![\w./-])in\/([\w.-]+)(?=[/\s"'*);|]|$)/g, (found, name: string) => {
    const next = rename(name);
    return /^[\w.-]+$/.test(next) ? `in/${next}` : found;
  });

/** Conditions name nodes as in `nodes.sort-1.lines`. */
export const renameInCondition = (when: string, rename: (name: string) => string): string =>
  when.replace(/nodes\.([^\s.`]+)/g, (found, name: string) => {
    const next = rename(name);
    return /^[\w-]+$/.test(next) ? `nodes.${next}` : found;
  });
