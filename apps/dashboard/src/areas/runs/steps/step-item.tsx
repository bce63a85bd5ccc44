import type { Subjob } from '@millrace/client';
import { formatCount } from '../../../text/format-count.js';
import { formatDuration } from '../../../text/format-duration.js';
import { Icon } from '../../../ui/icon.js';
import { HUE_SOLID, STATUS_LOOKS } from '../../../ui/status-looks.js';
import { StatusIcon } from '../../../ui/status.js';
import { useChildCounts } from '../live/use-children.js';
import type { StepRow } from './step-rows.js';
import { barOf, type TimeAxis } from './time-axis.js';

interface StepItemProps {
  row: StepRow;
  step: Subjob | undefined;
  axis: TimeAxis;
  now: number;
}

/** What a row of the list of steps shows. */
export function StepItem({ row, step, axis, now }: StepItemProps) {
  const indent = { paddingLeft: 12 + row.depth * 16 };
  if (!step)
    return (
      <div className="flex h-full items-center gap-2 text-sm text-muted" style={indent}>
        <Icon name="package" />
        <span dir="auto" className="truncate">
          {row.kind === 'module' ? row.label : ''}
        </span>
      </div>
    );
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)_auto_4.5rem_minmax(4rem,34%)] items-center gap-2 pr-3 text-sm">
      <span className="flex min-w-0 items-center gap-2" style={indent}>
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

function StepBar({ step, axis }: { step: Subjob; axis: TimeAxis }) {
  const bar = barOf(step, axis);
  return (
    <span aria-hidden className="relative h-3 border-x border-line">
      {bar && (
        <span
          className={`absolute inset-y-0 rounded-xs ${HUE_SOLID[STATUS_LOOKS[step.status].hue]} ${step.cached ? 'opacity-50' : ''}`}
          style={{ left: `${bar.left}%`, width: `${bar.width}%` }}
        />
      )}
    </span>
  );
}

function durationText(
  { started_at: started, duration_ms: duration, finished_at: finished }: Subjob,
  now: number,
): string {
  if (finished !== undefined) return duration === undefined ? '' : formatDuration(duration);
  return started === undefined ? '' : formatDuration(now - Date.parse(started));
}
