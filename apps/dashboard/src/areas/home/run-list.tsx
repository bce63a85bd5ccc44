import { Link } from '@tanstack/react-router';
import type { Run } from '@millrace/client';
import { formatCount } from '../../text/format-count.js';
import { formatDuration } from '../../text/format-duration.js';
import { Card } from '../../ui/page.js';
import { StatusIcon } from '../../ui/status.js';
import { Time } from '../../ui/time.js';

/** Runs with their workflow, progress and age. */
export const RunList = ({ runs }: { runs: readonly Run[] }) => (
  <Card>
    <ul className="divide-y divide-line">
      {runs.map((run) => (
        <li key={run.id}>
          <Link
            to="/runs/$runId"
            params={{ runId: run.id }}
            className="flex h-10 items-center gap-3 px-3 text-sm hover:bg-hover"
          >
            <StatusIcon status={run.status} />
            <span className="min-w-0 flex-1 truncate" dir="auto" title={run.name}>
              <span className="font-medium">{run.name}</span>
              {run.name !== run.workflow_name && <span className="text-muted"> · {run.workflow_name}</span>}
            </span>
            <span className="nums shrink-0 text-xs text-muted">{describeProgress(run)}</span>
            <span className="w-28 shrink-0 text-right text-xs text-muted">
              <Time value={run.created_date} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  </Card>
);

/** For a run that has ended its failures and its duration; for one under way, how much is done. */
function describeProgress({ finished, run_insights: counts, duration_ms: duration }: Run): string {
  const { total, pending, running, stopping, failed } = counts;
  const failures = failed > 0 ? `${formatCount(failed)} failed · ` : '';
  if (finished) return `${failures}${duration === undefined ? '' : formatDuration(duration)}`;
  const done = total - pending - running - stopping;
  return `${failures}${formatCount(done)} of ${formatCount(total)}`;
}
