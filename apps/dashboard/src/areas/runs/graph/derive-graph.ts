import type { Subjob } from '@millrace/client';
import type { GraphNode, GraphTone, Point } from '../../../graph/model/graph.js';
import type { Structure, StructureNode } from '../../../graph/structure/read-structure.js';
import { STATUS_LOOKS } from '../../../ui/status-looks.js';
import { statusOfModule } from '../shared/module-status.js';

/** What the card of a node shows. */
export interface RunNode {
  kind: StructureNode['kind'];
  /** The subjob of the node. Inputs and splitters have none. */
  step?: Subjob;
  /** The nodes inside of a module. */
  inner?: readonly Subjob[];
}

/** Makes the nodes of the graph. A node whose step has not changed stays the same object, so only changed ones are drawn again. */
export class RunGraphDeriver {
  private previous = new Map<string, GraphNode<RunNode>>();

  derive(
    structure: Structure,
    positions: Readonly<Record<string, Point>>,
    steps: readonly Subjob[],
  ): GraphNode<RunNode>[] {
    const byNode = new Map(steps.map((step) => [step.node, step]));
    const byModule = groupByModule(steps);
    const nodes = structure.nodes.map((node) => {
      const step = byNode.get(node.id);
      const inner = byModule.get(node.id);
      const next = this.toGraphNode(node, positions[node.id] ?? { x: 0, y: 0 }, step, inner);
      const previous = this.previous.get(node.id);
      return previous && isSame(previous, next) ? previous : next;
    });
    this.previous = new Map(nodes.map((node) => [node.id, node]));
    return nodes;
  }

  private toGraphNode(
    { id, label, kind }: StructureNode,
    { x, y }: Point,
    step: Subjob | undefined,
    inner: readonly Subjob[] | undefined,
  ): GraphNode<RunNode> {
    const status = step?.status ?? (inner && statusOfModule(inner));
    return {
      // The label of the step, as the list of steps has it.
      ...{ id, label: step?.label ?? label, x, y, inputs: [], outputs: [] },
      tone: status ? toneOf(status) : 'neutral',
      ...(status && { description: STATUS_LOOKS[status].label }),
      data: {
        kind,
        ...(step && { step }),
        ...(inner && { inner }),
      },
    };
  }
}

const toneOf = (status: Subjob['status']): GraphTone => STATUS_LOOKS[status].hue;

function isSame(a: GraphNode<RunNode>, b: GraphNode<RunNode>): boolean {
  const [inner = [], next = []] = [a.data.inner, b.data.inner];
  return (
    a.x === b.x &&
    a.y === b.y &&
    a.data.step === b.data.step &&
    inner.length === next.length &&
    inner.every((step, place) => step === next[place])
  );
}

function groupByModule(steps: readonly Subjob[]): Map<string, Subjob[]> {
  const groups = new Map<string, Subjob[]>();
  for (const step of steps) {
    const end = step.node.indexOf('/');
    if (end < 0) continue;
    const name = step.node.slice(0, end);
    const group = groups.get(name);
    if (group) group.push(step);
    else groups.set(name, [step]);
  }
  return groups;
}
