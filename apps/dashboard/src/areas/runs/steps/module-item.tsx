import { isFinalSubjob, type Subjob } from '@millrace/client';
import { countOf } from '../../../text/format-count.js';
import { Icon } from '../../../ui/icon.js';
import { StatusIcon } from '../../../ui/status.js';
import { statusOfModule } from '../shared/module-status.js';
import { durationText, indentOf, ROW, StepBar, type Timed } from './step-bar.js';
import type { TimeAxis } from './time-axis.js';

interface ModuleItemProps {
  label: string;
  /** The key of the module. */
  title: string;
  /** The steps inside it, at any depth. */
  inner: readonly Subjob[];
  depth: number;
  isFolded: boolean;
  axis: TimeAxis;
  now: number;
}

/** What the row of a module shows; when it is folded, its steps together. */
export function ModuleItem({ label, title, inner, depth, isFolded, axis, now }: ModuleItemProps) {
  const failed = inner.filter(({ status }) => status === 'FAILED').length;
  const total = sumOf(inner);
  return (
    <div className={`${ROW} cursor-pointer text-muted`}>
      <span className="flex min-w-0 items-center gap-2" style={{ paddingLeft: indentOf(depth) }}>
        <Icon name={isFolded ? 'chevronRight' : 'chevronDown'} size={14} />
        {isFolded && total ? <StatusIcon status={total.status} /> : <Icon name="package" />}
        <span dir="auto" className="truncate" title={label === title ? title : `${label} (${title})`}>
          {label}
        </span>
      </span>
      <span className="nums flex gap-2 text-xs whitespace-nowrap">
        {isFolded && failed > 0 && <span className="font-medium text-failed">{failed} failed</span>}
        {isFolded && countOf(inner.length, 'step')}
      </span>
      <span className="nums text-right text-xs">{isFolded && total && durationText(total, now)}</span>
      {isFolded && total ? <StepBar step={total} axis={axis} /> : <span />}
    </div>
  );
}

/** From the start of the first step to the end of the last one. */
function sumOf(inner: readonly Subjob[]): Timed | undefined {
  const status = statusOfModule(inner);
  if (!status) return undefined;
  const started = inner.flatMap(({ started_at: time }) => time ?? []).sort()[0];
  const finished = inner
    .flatMap(({ finished_at: time }) => time ?? [])
    .sort()
    .at(-1);
  const hasEnded = inner.every((step) => isFinalSubjob(step.status));
  return {
    ...{ status, cached: false },
    ...(started !== undefined && { started_at: started }),
    ...(hasEnded && finished !== undefined && { finished_at: finished }),
    ...(hasEnded &&
      started !== undefined &&
      finished !== undefined && { duration_ms: Date.parse(finished) - Date.parse(started) }),
  };
}
