import { Link } from '@tanstack/react-router';
import type { Run } from '@millrace/client';
import { formatCount } from '../../../text/format-count.js';
import { formatDuration } from '../../../text/format-duration.js';
import { HUE_SOLID, STATUS_LOOKS } from '../../../ui/status-looks.js';
import { Time } from '../../../ui/time.js';
import { AuthorName } from '../shared/author-name.js';
import { runDuration } from '../shared/run-duration.js';
import { RunStatus } from '../shared/run-status.js';

export interface RunRowProps {
  run: Run;
  now: number;
  /** The maxDuration duration of the page, which has the full bar. */
  maxDuration: number;
  /** Whether the column of the workflow is shown. */
  withWorkflow: boolean;
  /** The checkbox of the row, if rows can be compared. */
  selection?: { isSelected: boolean; isDisabled: boolean; onChange: (isSelected: boolean) => void };
}

const CELL = 'h-[32px] px-2 first:pl-3 last:pr-3';

export function RunRow({ run, now, maxDuration, withWorkflow, selection }: RunRowProps) {
  const { failed } = run.run_insights;
  return (
    <tr className="border-t border-line hover:bg-hover has-checked:bg-selected">
      {selection && (
        <td className={CELL}>
          <input
            type="checkbox"
            aria-label={`Compare run ${run.id}`}
            checked={selection.isSelected}
            disabled={selection.isDisabled}
            onChange={(event) => selection.onChange(event.target.checked)}
            className="block size-4 accent-(--accent-9)"
          />
        </td>
      )}
      <td className={CELL}>
        <span className="flex">
          <RunStatus run={run} />
        </span>
      </td>
      <td className={CELL}>
        <Link
          to="/runs/$runId"
          params={{ runId: run.id }}
          className="flex min-w-0 items-baseline gap-2 font-medium hover:underline"
        >
          <span dir="auto" className="truncate" title={run.name}>
            {run.name}
          </span>
          <span className="nums text-xs text-muted">#{run.id}</span>
        </Link>
      </td>
      {withWorkflow && (
        <td className={`${CELL} max-lg:hidden`}>
          <Link
            to="/workflows/$workflowId/runs"
            params={{ workflowId: run.workflow_info }}
            title={`All runs of ${run.workflow_name}`}
            className="block truncate text-muted hover:text-ink hover:underline"
          >
            <span dir="auto">{run.workflow_name}</span>
          </Link>
        </td>
      )}
      <td className={`${CELL} text-muted`}>
        <Time value={run.started_date ?? run.created_date} />
      </td>
      <td className={CELL}>
        <DurationBar run={run} now={now} maxDuration={maxDuration} />
      </td>
      <td className={`${CELL} truncate text-muted max-md:hidden`}>
        <AuthorName id={run.author} />
      </td>
      <td className={`${CELL} nums text-right ${failed > 0 ? 'font-medium text-failed' : 'text-muted'}`}>
        {failed > 0 ? formatCount(failed) : '–'}
      </td>
    </tr>
  );
}

function DurationBar({ run, now, maxDuration }: Pick<RunRowProps, 'run' | 'now' | 'maxDuration'>) {
  const duration = runDuration(run, now);
  if (duration === undefined) return <span className="text-muted">Not started</span>;
  const { hue } = STATUS_LOOKS[run.status];
  const width = maxDuration === 0 ? 0 : Math.max(2, (duration / maxDuration) * 100);
  return (
    <div className="flex items-center gap-2">
      <span className="nums w-22 shrink-0 text-right">{formatDuration(duration)}</span>
      <span aria-hidden className="h-2 min-w-0 flex-1 max-md:hidden">
        <span className={`block h-full rounded-sm ${HUE_SOLID[hue]}`} style={{ width: `${width}%` }} />
      </span>
    </div>
  );
}
