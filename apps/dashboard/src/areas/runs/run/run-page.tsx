import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isFinalRun, type Run } from '@millrace/client';
import { ErrorNote } from '../../../ui/error-note.js';
import { Icon } from '../../../ui/icon.js';
import { Page } from '../../../ui/page.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { RunActions } from '../actions/run-actions.js';
import { useLiveRun } from '../live/use-live-run.js';
import { runRoute } from '../routes.js';
import { RunStatus } from '../shared/run-status.js';
import { useNow } from '../shared/use-now.js';
import { ProgressBar } from './progress-bar.js';
import { RunBody } from './run-body.js';
import { RunFacts } from './run-facts.js';
import { openRunQuery } from './run-query.js';

/** One run: did it work, what came out, what failed and why; below it the steps, live. */
export function RunPage() {
  const { runId } = runRoute.useParams();
  const { data: run, error, refetch } = useQuery(openRunQuery(runId));
  useLiveRun(runId, run);
  if (run) return <LoadedRun key={runId} run={run} />;
  return (
    <Page title={`Run #${runId}`}>
      {error ? <ErrorNote error={error} onRetry={() => void refetch()} className="mx-6" /> : <Skeleton rows={8} />}
    </Page>
  );
}

function LoadedRun({ run }: { run: Run }) {
  const now = useNow(!isFinalRun(run.status));
  return (
    <Page
      isFull
      title={<span dir="auto">{run.name}</span>}
      tabTitle={`#${run.id} ${run.name}`}
      breadcrumb={<Breadcrumb run={run} />}
      aside={<RunStatus run={run} />}
      actions={<RunActions run={run} />}
    >
      <div className="shrink-0 border-b border-line bg-panel">
        <RunFacts run={run} now={now} />
        <ProgressBar run={run} now={now} />
      </div>
      <RunBody run={run} now={now} />
    </Page>
  );
}

const Breadcrumb = ({ run }: { run: Run }) => (
  <>
    <Link to="/runs" className="hover:text-ink">
      Runs
    </Link>
    <Icon name="chevronRight" size={12} />
    <Link
      to="/workflows/$workflowId/runs"
      params={{ workflowId: run.workflow_info }}
      dir="auto"
      className="max-w-100 truncate hover:text-ink"
      title={`All runs of ${run.workflow_name}`}
    >
      {run.workflow_name}
    </Link>
    <Icon name="chevronRight" size={12} />
    <span className="nums">#{run.id}</span>
    {run.pinned && <Icon name="pin" size={12} label="Kept: retention does not delete it" />}
  </>
);
