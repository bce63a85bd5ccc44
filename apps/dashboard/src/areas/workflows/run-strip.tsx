import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Run } from '@millrace/client';
import { formatDuration } from '../../text/format-duration.js';
import { HUE_SOLID, STATUS_LOOKS } from '../../ui/status-looks.js';
import { lastRunsQuery } from './queries.js';

const MIN_HEIGHT_PX = 5;
const MAX_HEIGHT_PX = 20;

/**
 * The last ten runs of a workflow as bars, oldest first: the height is the duration, the colour the status. A click on a bar
 * opens its run. The bars are too narrow to be reached by keyboard or touch one by one; the strip as a whole leads to the list.
 */
export function RunStrip({ workflow, hasRun }: { workflow: string; hasRun: boolean }) {
  const { data: runs } = useQuery({ ...lastRunsQuery(workflow), enabled: hasRun });
  if (!runs || runs.length === 0) return <span className="text-xs text-muted">{hasRun ? '' : 'never ran'}</span>;
  const maxDuration = Math.max(1, ...runs.map(durationOf));
  return (
    <div className="relative flex w-fit min-w-6">
      <Link
        to="/workflows/$workflowId/runs"
        params={{ workflowId: workflow }}
        aria-label={`Last runs: ${countByStatus(runs)}`}
        className="absolute inset-0 rounded-sm"
      />
      <div aria-hidden className="flex h-6 items-end gap-0.5 py-0.5">
        {runs.toReversed().map((run) => (
          <RunBar
            key={run.id}
            run={run}
            height={MIN_HEIGHT_PX + (durationOf(run) / maxDuration) * (MAX_HEIGHT_PX - MIN_HEIGHT_PX)}
          />
        ))}
      </div>
    </div>
  );
}

/** @returns for example "8 completed, 2 failed" */
function countByStatus(runs: readonly Run[]): string {
  const counts = new Map<string, number>();
  for (const { status } of runs) {
    const label = STATUS_LOOKS[status].label.toLowerCase();
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return [...counts].map(([label, count]) => `${count} ${label}`).join(', ');
}

const durationOf = ({ duration_ms: duration = 0 }: Run): number => duration;

function RunBar({ run, height }: { run: Run; height: number }) {
  const { label, hue } = STATUS_LOOKS[run.status];
  return (
    <Link
      to="/runs/$runId"
      params={{ runId: run.id }}
      tabIndex={-1}
      title={`${label}, ${formatDuration(durationOf(run))}`}
      style={{ height }}
      className={`relative block w-1.5 rounded-xs hover:opacity-70 ${HUE_SOLID[hue]}`}
    />
  );
}
