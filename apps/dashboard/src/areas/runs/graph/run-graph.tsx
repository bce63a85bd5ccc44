import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Run, Subjob } from '@millrace/client';
import { GraphView } from '../../../graph/graph-view.js';
import { readStructure } from '../../../graph/structure/read-structure.js';
import { useStructureLayout } from '../../../graph/structure/use-structure-layout.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { useRunSearch } from '../run/use-run-search.js';
import { statusOfModule } from '../shared/module-status.js';
import { versionQuery } from '../subjob/subjob-query.js';
import { RunGraphDeriver } from './derive-graph.js';
import { RunNodeCard } from './run-node-card.js';

interface RunGraphProps {
  run: Run;
  steps: readonly Subjob[];
  /** The node of the selected subjob. */
  selected: string | undefined;
}

/** The workflow as the run executes it, coloured by status. */
export function RunGraph(props: RunGraphProps) {
  const { run } = props;
  const { data, error, refetch } = useQuery(versionQuery(run.workflow_info, run.workflow_version_info));
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} className="m-4" />;
  if (!data) return <Skeleton rows={5} />;
  return <Graph {...props} data={data.data} />;
}

function Graph({ run, steps, selected, data }: RunGraphProps & { data: unknown }) {
  const { patch, select } = useRunSearch();
  const structure = useMemo(() => readStructure(data), [data]);
  const positions = useStructureLayout(run.workflow_version_info, structure);
  const [deriver] = useState(() => new RunGraphDeriver());
  const nodes = useMemo(() => deriver.derive(structure, positions, steps), [deriver, structure, positions, steps]);
  const selectedNode = steps.find((step) => step.id === selected)?.node;
  // A step inside of a module is shown by the module.
  const shown = useMemo(
    () => new Set(selectedNode === undefined ? [] : [selectedNode.split('/')[0] ?? '']),
    [selectedNode],
  );
  const choose = (node: string | undefined) => {
    const inner = node === undefined ? [] : steps.filter((one) => one.node.startsWith(`${node}/`));
    const status = statusOfModule(inner);
    // Of a module, the step that explains its status.
    const step = steps.find((one) => one.node === node) ?? inner.find((one) => one.status === status) ?? inner[0];
    if (step) select(step.id);
    else if (node === undefined) select(undefined);
  };
  const open = (node: string) => {
    if (steps.some((step) => step.node.startsWith(`${node}/`))) patch({ view: undefined, name: `${node}/` }, true);
    else choose(node);
  };
  return (
    <div className="relative min-h-0 flex-1">
      <GraphView
        label={`Graph of run #${run.id}`}
        nodes={nodes}
        edges={structure.edges}
        NodeView={RunNodeCard}
        selection={shown}
        onSelect={(selection) => choose([...selection].at(-1))}
        onOpen={open}
      />
    </div>
  );
}
