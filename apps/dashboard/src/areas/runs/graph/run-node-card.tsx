import { memo } from 'react';
import type { Subjob } from '@millrace/client';
import { GraphPorts, type NodeViewProps } from '../../../graph/graph-view.js';
import { formatCount } from '../../../text/format-count.js';
import { Icon, type IconName } from '../../../ui/icon.js';
import { HUE_SOFT, STATUS_LOOKS } from '../../../ui/status-looks.js';
import { StatusIcon } from '../../../ui/status.js';
import { useChildCounts } from '../live/use-children.js';
import { statusOfModule } from '../shared/module-status.js';
import type { RunNode } from './derive-graph.js';

const ICONS: Record<RunNode['kind'], IconName> = {
  step: 'terminal',
  module: 'package',
  splitter: 'split',
  approval: 'hand',
  input: 'file',
};

/** A node of a run: its status as icon, word and colour, and the counts of its children. */
export const RunNodeCard = memo(({ node, isSelected }: NodeViewProps<RunNode>) => {
  const { kind, step, inner } = node.data;
  const status = step?.status ?? (inner && statusOfModule(inner));
  const soft = status ? HUE_SOFT[STATUS_LOOKS[status].hue] : 'bg-raised';
  return (
    <div
      className={`flex size-full items-center gap-2.5 border px-3 ${kind === 'input' ? 'rounded-[28px]' : 'rounded-md'} ${soft} ${isSelected ? 'border-accent ring-2 ring-accent' : 'border-line-strong'}`}
    >
      {status ? <StatusIcon status={status} size={18} /> : <Icon name={ICONS[kind]} size={18} className="text-muted" />}
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate text-left text-sm font-medium">
          {node.label}
        </p>
        <p className="nums truncate text-xs text-muted">
          {step?.task_count === undefined ? describeNode(node.data) : <GroupCounts group={step} />}
        </p>
      </div>
      <GraphPorts node={node} />
    </div>
  );
});

function describeNode({ kind, step, inner }: RunNode): string {
  if (step) return step.cached ? 'Result of an earlier run' : STATUS_LOOKS[step.status].label;
  if (!inner) return kind === 'input' ? 'Input' : '';
  const ended = inner.filter(({ status }) => status === 'SUCCEEDED' || status === 'SKIPPED').length;
  return `${ended} of ${inner.length} steps`;
}

function GroupCounts({ group }: { group: Subjob }) {
  const counts = useChildCounts(group);
  const total = group.task_count ?? 0;
  if (!counts) return <>×{formatCount(total)}</>;
  const ended = counts.SUCCEEDED + counts.FAILED + counts.SKIPPED + counts.STOPPED;
  return (
    <>
      {ended < total ? `${formatCount(ended)} of ${formatCount(total)}` : `×${formatCount(total)}`}
      {counts.FAILED > 0 && <span className="text-failed"> · {formatCount(counts.FAILED)} failed</span>}
    </>
  );
}
