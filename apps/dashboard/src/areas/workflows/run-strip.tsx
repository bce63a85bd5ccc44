import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Run } from '@millrace/client';
import { formatDuration } from '../../text/format-duration.js';
import { HUE_SOLID, STATUS_LOOKS } from '../../ui/status-looks.js';
import { lastRunsQuery } from './queries.js';

const MIN_HEIGHT_PX = 5;
const MAX_HEIGHT_PX = 20;

/** The last ten runs of a workflow as bars, oldest first: the height is the duration, the colour the status. */
export function RunStrip({ workflow, hasRun }: { workflow: string; hasRun: boolean }) {
  const { data: runs } = useQuery({ ...lastRunsQuery(workflow), enabled: hasRun });
  if (!runs || runs.length === 0) return <span className="text-xs text-muted">{hasRun ? '' : 'never ran'}</span>;
  const maxDuration = Math.max(1, ...runs.map(durationOf));
  return (
    <ul className="flex h-5 items-end gap-0.5" aria-label="Last runs, oldest first">
      {runs.toReversed().map((run) => (
        <li key={run.id}>
          <RunBar
            run={run}
            height={MIN_HEIGHT_PX + (durationOf(run) / maxDuration) * (MAX_HEIGHT_PX - MIN_HEIGHT_PX)}
          />
        </li>
      ))}
    </ul>
  );
}

const durationOf = ({ duration_ms: duration = 0 }: Run): number => duration;

function RunBar({ run, height }: { run: Run; height: number }) {
  const { label, hue } = STATUS_LOOKS[run.status];
  const text = `${label}, ${formatDuration(durationOf(run))}`;
  return (
    <Link
      to="/runs/$runId"
      params={{ runId: run.id }}
      aria-label={`Run ${run.id}: ${text}`}
      title={text}
      style={{ height }}
      className={`block w-1.5 rounded-xs hover:opacity-70 ${HUE_SOLID[hue]}`}
    />
  );
}
