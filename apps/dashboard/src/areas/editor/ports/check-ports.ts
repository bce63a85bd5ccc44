import { describeType, matchTypes, type SourceType, type TargetType } from '@millrace/graph/connect/match-types';
import type { Document } from '../document/document.js';
import { indexConnections } from './connection-index.js';
import { listInputs, listOutputs } from './list-ports.js';

interface End {
  node: string;
  port: string;
}

/** Whether a connection can be made: null, or the reason why not, with a way out. */
export function checkPorts(document: Document, source: End, target: End): string | null {
  if (source.node === target.node) return 'A node cannot take its own output.';
  const node = document.nodes[target.node];
  if (!node) return 'An input of the workflow accepts no connections.';
  const sourceType = sourceTypeOf(document, source);
  const input = listInputs(node).find(({ name }) => name === target.port);
  if (!sourceType || !input) return 'This port does not exist.';
  if (!matchTypes(input.type, sourceType)) return describeMismatch(target, input.type, sourceType);
  const { into } = indexConnections(document);
  if (
    into
      .get(target.node)
      ?.some((one) => one.source === source.node && one.sourcePort === source.port && one.targetPort === target.port)
  )
    return 'They are already connected.';
  if (ancestorsOf(document, source.node).has(target.node)) return 'This connection would close a cycle.';
  return null;
}

function sourceTypeOf(document: Document, { node, port }: End): SourceType | undefined {
  const input = document.primitiveNodes[node];
  if (input) return input.type;
  const record = document.nodes[node];
  return record && listOutputs(record).find(({ name }) => name === port)?.type;
}

function describeMismatch({ node, port }: End, target: TargetType, source: SourceType): string {
  const reason = `“${port}” of ${node} accepts ${describeType(target)}, and this port provides ${describeType(source)}.`;
  return `${reason} ${suggestFix(target, source)}`.trim();
}

function suggestFix(target: TargetType, source: SourceType): string {
  if (target === 'STRING' && (source === 'FILE' || source === 'OUTPUT'))
    return 'Put a splitter in between, or distribute the node by lines.';
  if (target === 'FILE' && source === 'FOLDER') return 'Connect the port “file”, or distribute the node by files.';
  if (target === 'FOLDER' && source === 'FILE') return 'Connect the port “folder”.';
  return '';
}

const knownAncestors = new WeakMap<Document['connections'], Map<string, ReadonlySet<string>>>();

/** The nodes that a node depends on. A connection that is being drawn checks every port in view against the same set. */
function ancestorsOf(document: Document, id: string): ReadonlySet<string> {
  const cache = knownAncestors.get(document.connections) ?? new Map<string, ReadonlySet<string>>();
  knownAncestors.set(document.connections, cache);
  const old = cache.get(id);
  if (old) return old;
  const { into } = indexConnections(document);
  const found = new Set<string>();
  const open = [id];
  for (let node = open.pop(); node !== undefined; node = open.pop())
    for (const { source } of into.get(node) ?? [])
      if (!found.has(source)) {
        found.add(source);
        open.push(source);
      }
  cache.set(id, found);
  return found;
}

/** The ports of a node that fit an end, for a connection that is dropped on the node. */
export function fittingPorts(
  document: Document,
  from: End & { side: 'inputs' | 'outputs' },
  node: string,
): { port: string; reason: string | null }[] {
  const record = document.nodes[node];
  const ports =
    from.side === 'outputs'
      ? record
        ? listInputs(record)
        : []
      : record
        ? listOutputs(record)
        : document.primitiveNodes[node]
          ? [{ name: 'output' }]
          : [];
  return ports.map(({ name: port }) => ({
    port,
    reason:
      from.side === 'outputs' ? checkPorts(document, from, { node, port }) : checkPorts(document, { node, port }, from),
  }));
}
