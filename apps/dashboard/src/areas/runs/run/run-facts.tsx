import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isFinalRun, type Run } from '@millrace/client';
import { formatCount } from '../../../text/format-count.js';
import { formatDuration } from '../../../text/format-duration.js';
import { Time } from '../../../ui/time.js';
import { CREATION_TYPES } from '../list/list-search.js';
import { AuthorName } from '../shared/author-name.js';
import { runDuration } from '../shared/run-duration.js';
import { versionQuery } from '../subjob/subjob-query.js';
import { Fact } from './facts.js';
import { compareWithMedian, medianOf } from './run-progress.js';
import { earlierDurationsQuery } from './run-query.js';

/** The facts of a run in one line, below its title. */
export function RunFacts({ run, now }: { run: Run; now: number }) {
  const { data: earlier } = useQuery(earlierDurationsQuery(run));
  const { data: version } = useQuery(versionQuery(run.workflow_info, run.workflow_version_info));
  const duration = runDuration(run, now);
  const median = medianOf(earlier ?? []);
  const given = (run.inputs?.resolved ?? []).flatMap(({ id, label, value }) =>
    value === undefined ? [] : [`${label ?? id}: ${String(value)}`],
  );
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2 px-6 py-2.5 max-sm:px-4">
      <Fact
        name="Duration"
        {...(median !== undefined && {
          title: `Median of the last ${earlier?.length} completed runs: ${formatDuration(median)}`,
        })}
      >
        {duration === undefined ? 'Not started' : formatDuration(duration)}
        {duration !== undefined && median !== undefined && run.status === 'COMPLETED' && (
          <span className="text-muted"> · {compareWithMedian(duration, median)}</span>
        )}
        {median !== undefined && !isFinalRun(run.status) && (
          <span className="text-muted"> of about {formatDuration(median)}</span>
        )}
      </Fact>
      <Fact name="Started">
        <Time value={run.started_date ?? run.created_date} />
      </Fact>
      <Fact name="Started by">
        <AuthorName id={run.author} />
        {run.creation_type !== 'MANUAL' && <span className="text-muted"> · {CREATION_TYPES[run.creation_type]}</span>}
      </Fact>
      <Fact name="Units" title="One unit is a CPU second; each attempt is rounded up">
        {formatCount(run.execution_units)}
      </Fact>
      <Fact name="At the same time" title="Subjobs that may run at the same time">
        {formatCount(run.parallelism)}
      </Fact>
      <Fact name="Version" {...(version && { title: version.name ?? `Version ${version.number}` })}>
        <Link
          to="/workflows/$workflowId"
          params={{ workflowId: run.workflow_info }}
          search={{ view: 'versions' }}
          className="link"
        >
          {version ? `v${version.number}` : 'Versions'}
        </Link>
      </Fact>
      {given.length > 0 && (
        <Fact name="Inputs" title={given.join('\n')}>
          <span dir="auto" className="block max-w-72 truncate">
            {given[0]}
            {given.length > 1 && <span className="text-muted"> and {formatCount(given.length - 1)} more</span>}
          </span>
        </Fact>
      )}
      {run.parent_run !== undefined && (
        <Fact name="Takes results of">
          <Link to="/runs/$runId" params={{ runId: run.parent_run }} className="link">
            #{run.parent_run}
          </Link>
        </Fact>
      )}
      {run.part && <Fact name="Part">{describePart(run.part)}</Fact>}
    </dl>
  );
}

const describePart = ({ from, until }: NonNullable<Run['part']>): string =>
  [from.length > 0 && `from ${from.join(', ')}`, until.length > 0 && `up to ${until.join(', ')}`]
    .filter(Boolean)
    .join(' ');
