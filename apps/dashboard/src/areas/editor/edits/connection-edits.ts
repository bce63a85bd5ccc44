import { change, type Diff } from '../document/diff.js';
import { connectionKey, type Document } from '../document/document.js';
import { indexConnections } from '../ports/connection-index.js';
import { listInputs } from '../ports/list-ports.js';
import { type ConnectionEnds, writeConnection } from '../ports/read-connection.js';
import { withoutEntries } from './node-edits.js';

/**
 * Connects two ports. An input that takes one connection loses the former one. An input of a tool that was switched off is
 * switched on.
 */
export function connectPorts(document: Document, ends: ConnectionEnds): Diff {
  const record = writeConnection(ends);
  const node = document.nodes[ends.target];
  const input = node && listInputs(node).find(({ name }) => name === ends.targetPort);
  const replaced = (indexConnections(document).into.get(ends.target) ?? []).filter(
    ({ targetPort }) => targetPort === ends.targetPort && input !== undefined && !input.isMulti && takesOne(input.type),
  );
  const declared = node?.inputs?.[ends.targetPort];
  const shown =
    declared?.visible === false
      ? [
          change(document, 'nodes', ends.target, {
            ...node,
            inputs: { ...node?.inputs, [ends.targetPort]: { ...declared, visible: true } },
          } as Document['nodes'][string]),
        ]
      : [];
  return [
    ...(shown.length > 0 ? shown : withoutEntries(document, replaced)),
    ...replaced.map(({ key }) => change(document, 'connections', key, undefined)),
    change(document, 'connections', connectionKey(record), record),
  ];
}

/** Files and folders of several nodes may come together in one input; a text has one source. */
const takesOne = (type: string): boolean => type === 'STRING' || type === 'BOOLEAN';

export function disconnect(document: Document, keys: readonly string[]): Diff {
  const connected = indexConnections(document).all.filter(({ key }) => keys.includes(key));
  return [
    ...withoutEntries(document, connected),
    ...connected.map(({ key }) => change(document, 'connections', key, undefined)),
  ];
}
