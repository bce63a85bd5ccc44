import { memo, useMemo, useState } from 'react';
import { GraphPorts, GraphView, type NodeViewProps } from '../../../graph/graph-view.js';
import { completePositions } from '../../../graph/layout/complete-positions.js';
import type { GraphEdge, GraphNode, GraphTone, Point } from '../../../graph/model/graph.js';
import { Icon, type IconName } from '../../../ui/icon.js';
import { GraphDeriver, type NodeFace } from '../canvas/derive-graph.js';
import { layoutInput } from '../canvas/layout-input.js';
import { applyDiff, type Diff } from '../document/diff.js';
import type { Document } from '../document/document.js';
import { coordinatesOf } from '../edits/coordinates.js';

type ChangeKind = 'added' | 'removed' | 'changed';

interface DiffFace extends NodeFace {
  change: ChangeKind | undefined;
}

const TONES: Record<ChangeKind, GraphTone> = { added: 'succeeded', removed: 'failed', changed: 'stopped' };

/** Both versions in one graph: what was added is green, what was removed red, what was changed amber. */
export function DiffGraph({ from, to, diff }: { from: Document; to: Document; diff: Diff }) {
  const graph = useMemo(() => mergeGraphs(from, to, diff), [from, to, diff]);
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  return (
    <div className="min-h-80 min-w-0 flex-1">
      <GraphView
        label="Changes of the workflow"
        nodes={graph.nodes}
        edges={graph.edges}
        NodeView={DiffCard}
        selection={selection}
        onSelect={setSelection}
      />
    </div>
  );
}

function mergeGraphs(from: Document, to: Document, diff: Diff): { nodes: GraphNode<DiffFace>[]; edges: GraphEdge[] } {
  const removed = diff.filter(
    ({ table, after }) => after === undefined && ['nodes', 'primitiveNodes', 'connections'].includes(table),
  );
  const both = applyDiff(
    { ...to, groups: {} },
    removed.map((one) => ({ ...one, after: one.before, before: undefined })),
  );
  const input = layoutInput(both);
  const known = new Map(
    input.nodes.flatMap(({ id }) => {
      const at = coordinatesOf(to, id) ?? coordinatesOf(from, id);
      return at ? [[id, at] as [string, Point]] : [];
    }),
  );
  const { positions } = completePositions(input, known);
  const kinds = new Map(diff.map(({ table, key, before, after }) => [`${table} ${key}`, kindOf(before, after)]));
  const drawn = new GraphDeriver().derive(both, { problems: new Map(), tables: new Map(), positions });
  return {
    nodes: drawn.nodes.map((node) => {
      const change = kinds.get(`nodes ${node.id}`) ?? kinds.get(`primitiveNodes ${node.id}`);
      return {
        ...node,
        description: [node.description, change].filter(Boolean).join(', '),
        tone: change ? TONES[change] : 'neutral',
        data: { ...node.data, change },
      };
    }),
    edges: drawn.edges.map((edge) => {
      const change = kinds.get(`connections ${edge.id}`);
      return change ? { ...edge, tone: TONES[change] } : edge;
    }),
  };
}

const kindOf = (before: unknown, after: unknown): ChangeKind =>
  before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';

const LOOKS: Record<ChangeKind, { className: string; icon: IconName }> = {
  added: { className: 'border-succeeded bg-succeeded-soft', icon: 'plus' },
  removed: { className: 'border-failed bg-failed-soft', icon: 'minus' },
  changed: { className: 'border-stopped bg-stopped-soft', icon: 'pencil' },
};

const DiffCard = memo(({ node, isSelected }: NodeViewProps<DiffFace>) => {
  const { change, title, subtitle } = node.data;
  const look = change && LOOKS[change];
  return (
    <div
      className={`flex size-full items-center gap-2.5 rounded-md border px-3.5 ${look?.className ?? 'border-line-strong bg-raised'} ${isSelected ? 'ring-2 ring-accent' : ''}`}
    >
      {look && <Icon name={look.icon} label={change} className="shrink-0" />}
      <div className="min-w-0 flex-1">
        <p
          dir="auto"
          className={`truncate text-left text-sm font-medium ${change === 'removed' ? 'line-through' : ''}`}
        >
          {title}
        </p>
        <p className="truncate font-mono text-xs text-muted">{subtitle}</p>
      </div>
      <GraphPorts node={node} />
    </div>
  );
});
