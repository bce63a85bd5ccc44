import type { Subjob } from '@millrace/client';
import { formatCount } from '../../../text/format-count.js';
import { Icon } from '../../../ui/icon.js';
import { StatusIcon } from '../../../ui/status.js';
import { useChildCounts } from '../live/use-children.js';
import { durationText, indentOf, ROW, StepBar } from './step-bar.js';
import type { TimeAxis } from './time-axis.js';

interface StepItemProps {
  step: Subjob;
  depth: number;
  axis: TimeAxis;
  now: number;
}

/** What the row of a step shows. */
export function StepItem({ step, depth, axis, now }: StepItemProps) {
  return (
    <div className={ROW}>
      <span className="flex min-w-0 items-center gap-2" style={{ paddingLeft: indentOf(depth) }}>
        <StatusIcon status={step.status} />
        <span
          dir="auto"
          className="truncate"
          title={step.label === step.node ? step.node : `${step.label} (${step.node})`}
        >
          {step.label}
        </span>
        {step.cached && <Icon name="zap" size={13} label="Result of an earlier run" className="text-muted" />}
        {step.approval?.state === 'open' && (
          <Icon name="hand" size={13} label="Waits for a decision" className="text-stopped" />
        )}
      </span>
      {step.task_count === undefined ? <span /> : <GroupCounts group={step} />}
      <span className="nums text-right text-xs text-muted">{durationText(step, now)}</span>
      <StepBar step={step} axis={axis} />
    </div>
  );
}

function GroupCounts({ group }: { group: Subjob }) {
  const counts = useChildCounts(group);
  const total = group.task_count ?? 0;
  if (!counts) return <span className="nums text-xs text-muted">{formatCount(total)}</span>;
  const ended = counts.SUCCEEDED + counts.FAILED + counts.SKIPPED + counts.STOPPED;
  return (
    <span className="nums flex gap-2 text-xs whitespace-nowrap text-muted">
      {counts.FAILED > 0 && <span className="font-medium text-failed">{formatCount(counts.FAILED)} failed</span>}
      <span>
        {ended < total && `${formatCount(ended)}/`}
        {formatCount(total)}
      </span>
    </span>
  );
}
