import { memo, useMemo, useState } from 'react';
import { GraphPorts, GraphView, type NodeViewProps } from '../../../graph/graph-view.js';
import type { GraphNode, GraphTone } from '../../../graph/model/graph.js';
import { readStructure, type StructureNode } from '../../../graph/structure/read-structure.js';
import { useStructureLayout } from '../../../graph/structure/use-structure-layout.js';
import { Icon, type IconName } from '../../../ui/icon.js';

interface VersionGraphProps {
  name: string;
  /** Id of the version; its data never changes. */
  version: string;
  data: Record<string, unknown>;
}

/** The nodes and connections of a version, to look at. */
export function VersionGraph({ name, version, data }: VersionGraphProps) {
  const structure = useMemo(() => readStructure(data), [data]);
  const positions = useStructureLayout(version, structure);
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const nodes = useMemo(
    () => structure.nodes.map((node) => toGraphNode(node, positions[node.id] ?? { x: 0, y: 0 })),
    [structure, positions],
  );
  return (
    <GraphView
      label={`Workflow ${name}`}
      nodes={nodes}
      edges={structure.edges}
      NodeView={NodeCard}
      selection={selection}
      onSelect={setSelection}
    />
  );
}

type Kind = StructureNode['kind'];

const LOOKS: Record<Kind, { icon: IconName; tone: GraphTone; text: string }> = {
  step: { icon: 'terminal', tone: 'neutral', text: 'Step' },
  module: { icon: 'package', tone: 'neutral', text: 'Module' },
  splitter: { icon: 'split', tone: 'neutral', text: 'Splitter' },
  approval: { icon: 'hand', tone: 'neutral', text: 'Approval' },
  input: { icon: 'file', tone: 'accent', text: 'Input' },
};

const toGraphNode = ({ id, label, kind }: StructureNode, at: { x: number; y: number }): GraphNode<Kind> => ({
  ...{ id, label, x: at.x, y: at.y, data: kind, inputs: [], outputs: [] },
  description: LOOKS[kind].text,
  tone: LOOKS[kind].tone,
});

const NodeCard = memo(({ node, isSelected }: NodeViewProps<Kind>) => {
  const { icon, text } = LOOKS[node.data];
  return (
    <div
      className={`flex size-full items-center gap-2.5 border bg-raised px-3 ${node.data === 'input' ? 'rounded-[28px]' : 'rounded-md'} ${isSelected ? 'border-accent ring-2 ring-accent' : 'border-line-strong'}`}
    >
      <Icon name={icon} size={18} className="text-muted" />
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate text-left text-sm font-medium">
          {node.label}
        </p>
        <p className="truncate text-xs text-muted">{text}</p>
      </div>
      <GraphPorts node={node} />
    </div>
  );
});
