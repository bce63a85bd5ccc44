import type { Positions } from '../../../graph/layout/layout-input.js';
import type { GraphEdge, GraphNode, Point } from '../../../graph/model/graph.js';
import { countOf } from '../../../text/format-count.js';
import type { Document } from '../document/document.js';
import { isEqual } from '../document/is-equal.js';
import { labelOf } from '../document/label-of.js';
import { indexConnections } from '../ports/connection-index.js';
import { type Ports, shownPorts } from '../ports/list-ports.js';
import type { Problem } from '../problems/problems.js';
import { GROUP_PREFIX } from '../session/editor-session.js';
import { describeDistribution, describeInput, describeNode } from './describe-node.js';
import { NODE_KINDS, type NodeKind } from './node-kinds.js';

/** What a node's card shows. */
export interface NodeFace {
  kind: NodeKind | 'GROUP';
  /** The label, or the name if there is no label. */
  title: string;
  subtitle: string;
  distribution?: string;
  isCached: boolean;
  /** Names of the Live Tables that get its outputs. */
  tables: readonly string[];
  errors: number;
  warnings: number;
  /** The first problem, for the tooltip. */
  problem?: string;
}

interface Facts {
  problems: ReadonlyMap<string, readonly Problem[]>;
  tables: ReadonlyMap<string, readonly string[]>;
  positions: Positions;
}

interface Known {
  record: unknown;
  at: Point;
  ports: string;
  problems: readonly Problem[] | undefined;
  tables: readonly string[] | undefined;
  node: GraphNode<NodeFace>;
}

/**
 * Makes the drawn graph of a document. Nodes that an edit does not concern stay the same objects, so that drawing skips them.
 */
export class GraphDeriver {
  private known = new Map<string, Known>();
  /** The edges that were made last, and what they were made from, besides the types of ports. */
  private drawn: { connections: unknown; groups: unknown; edges: GraphEdge[] } | undefined;
  private nodes: GraphNode<NodeFace>[] = [];

  derive(document: Document, facts: Facts): { nodes: GraphNode<NodeFace>[]; edges: GraphEdge[] } {
    const groups = collapsedGroups(document);
    const next = new Map<string, Known>();
    const areConnected = this.drawn?.connections === document.connections;
    let isReshaped = !areConnected || this.drawn?.groups !== document.groups;
    for (const id of [...Object.keys(document.primitiveNodes), ...Object.keys(document.nodes)]) {
      if (groups.ownerOf.has(id)) continue;
      const record = document.nodes[id] ?? document.primitiveNodes[id];
      const at = facts.positions[id] ?? { x: 0, y: 0 };
      const [problems, tables] = [facts.problems.get(id), facts.tables.get(id)];
      const old = this.known.get(id);
      const isUnchanged =
        old?.record === record &&
        old?.at.x === at.x &&
        old.at.y === at.y &&
        old.problems === problems &&
        old.tables === tables;
      // Ports depend on the record and on the connections alone, and take half of the time for 5,000 nodes.
      if (isUnchanged && areConnected && old) {
        next.set(id, old);
        continue;
      }
      const ports = shownPorts(document, id);
      const key = portsKey(ports);
      const isSame = isUnchanged && old?.ports === key;
      isReshaped ||= old?.ports !== key;
      next.set(
        id,
        isSame && old
          ? old
          : {
              ...{ record, at, ports: key, problems, tables },
              node: keepEqual(old?.node, toGraphNode(document, id, at, ports, problems, tables)),
            },
      );
    }
    isReshaped ||= next.size !== this.known.size;
    this.known = next;
    const edges = !isReshaped && this.drawn ? this.drawn.edges : toEdges(document, groups.ownerOf);
    this.drawn = { connections: document.connections, groups: document.groups, edges };
    const groupNodes = [...groups.members].map(([key, members]) => toGroupNode(document, key, members, facts));
    const nodes = [...[...next.values()].map(({ node }) => node), ...groupNodes];
    const isSame = nodes.length === this.nodes.length && nodes.every((node, index) => node === this.nodes[index]);
    if (!isSame) this.nodes = nodes;
    return { nodes: this.nodes, edges };
  }
}

/** Most edits of a script change nothing that its card shows. */
const keepEqual = <T>(old: T | undefined, next: T): T => (old !== undefined && isEqual(old, next) ? old : next);

const portsKey = ({ inputs, outputs }: Ports): string =>
  `${inputs.map(({ name, type }) => `${name}:${type}`).join()}|${outputs.map(({ name }) => name).join()}`;

function toGraphNode(
  document: Document,
  id: string,
  at: Point,
  { inputs, outputs }: Ports,
  problems: readonly Problem[] = [],
  tables: readonly string[] = [],
): GraphNode<NodeFace> {
  const face = toFace(document, id, problems, tables);
  const count = problems.length;
  const { label } = face.kind === 'GROUP' ? { label: 'Group' } : NODE_KINDS[face.kind];
  return {
    id,
    ...at,
    label: face.title,
    description: [
      label.toLowerCase(),
      face.title !== id && `named ${id}`,
      face.distribution && `runs ${face.distribution}`,
      count > 0 && countOf(count, 'problem'),
    ]
      .filter(Boolean)
      .join(', '),
    tone: face.errors > 0 ? 'failed' : face.warnings > 0 ? 'stopped' : document.nodes[id] ? 'neutral' : 'accent',
    inputs: inputs.map(({ name, type }) => ({ id: name, label: `${name}: ${TYPE_NAMES[type]}` })),
    outputs: outputs.map(({ name, type }) => ({ id: name, label: `${name}: ${TYPE_NAMES[type]}` })),
    data: face,
  };
}

const TYPE_NAMES = {
  STRING: 'text',
  BOOLEAN: 'true or false',
  FILE: 'file',
  FOLDER: 'folder',
  ITEM: 'one item',
  OUTPUT: 'file or folder',
  LINES: 'file, split into lines',
  FILES: 'folder, split into files',
};

function toFace(document: Document, id: string, problems: readonly Problem[], tables: readonly string[]): NodeFace {
  const [node, input] = [document.nodes[id], document.primitiveNodes[id]];
  const distribution = node && describeDistribution(node);
  return {
    kind: node?.type ?? input?.type ?? 'TOOL',
    title: labelOf(document, id),
    subtitle: node ? describeNode(node) : input ? describeInput(input) : '',
    ...(distribution !== undefined && { distribution }),
    isCached: node?.cache === true,
    tables,
    errors: problems.filter(({ isError }) => isError).length,
    warnings: problems.filter(({ isError }) => !isError).length,
    ...(problems[0] && { problem: problems[0].message }),
  };
}

interface CollapsedGroups {
  /** The drawn group of a hidden node. */
  ownerOf: ReadonlyMap<string, string>;
  members: ReadonlyMap<string, readonly string[]>;
}

function collapsedGroups({ groups }: Document): CollapsedGroups {
  const members = new Map<string, readonly string[]>();
  const ownerOf = new Map<string, string>();
  for (const [key, group] of Object.entries(groups)) {
    if (group.is_collapsed !== true) continue;
    members.set(key, group.nodes);
    for (const id of group.nodes) ownerOf.set(id, `${GROUP_PREFIX}${key}`);
  }
  return { ownerOf, members };
}

function toGroupNode({ groups }: Document, key: string, members: readonly string[], facts: Facts): GraphNode<NodeFace> {
  const label = groups[key]?.label ?? key;
  const problems = members.flatMap((id) => facts.problems.get(id) ?? []);
  const errors = problems.filter(({ isError }) => isError).length;
  const count = countOf(members.length, 'node');
  return {
    id: `${GROUP_PREFIX}${key}`,
    // At the place of its first member, where nothing else is.
    ...(facts.positions[members[0] ?? ''] ?? { x: 0, y: 0 }),
    label,
    description: [`group of ${count}`, problems.length > 0 && countOf(problems.length, 'problem')]
      .filter(Boolean)
      .join(', '),
    tone: errors > 0 ? 'failed' : problems.length > 0 ? 'stopped' : 'accent',
    inputs: [],
    outputs: [],
    data: {
      kind: 'GROUP',
      title: label,
      subtitle: count,
      isCached: false,
      tables: [...new Set(members.flatMap((id) => facts.tables.get(id) ?? []))],
      errors,
      warnings: problems.length - errors,
      ...(problems[0] && { problem: problems[0].message }),
    },
  };
}

function toEdges(document: Document, ownerOf: ReadonlyMap<string, string>): GraphEdge[] {
  return indexConnections(document).all.flatMap(({ key, source, sourcePort, target, targetPort }) => {
    const [from, to] = [ownerOf.get(source) ?? source, ownerOf.get(target) ?? target];
    if (from === to) return [];
    const isSplit = document.nodes[target]?.distribution?.input === targetPort;
    return [
      {
        id: key,
        source: from,
        target: to,
        ...(sourcePort !== '' && { sourcePort: document.primitiveNodes[source] ? 'output' : sourcePort }),
        ...(targetPort !== '' && { targetPort }),
        ...((isSplit || document.nodes[source]?.type === 'SPLITTER') && { isDashed: true }),
      },
    ];
  });
}
