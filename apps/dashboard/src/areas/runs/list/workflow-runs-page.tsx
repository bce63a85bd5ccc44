import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { workflowQuery } from '../../../api/workflow-query.js';
import { buttonClass } from '../../../ui/button.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Icon } from '../../../ui/icon.js';
import { Page } from '../../../ui/page.js';
import { workflowRunsRoute } from '../routes.js';
import { RunsList } from './runs-list.js';

/** The history of one workflow. Two of its runs can be compared. */
export function WorkflowRunsPage() {
  const { workflowId } = workflowRunsRoute.useParams();
  const { compare, ...search } = workflowRunsRoute.useSearch();
  const navigate = useNavigate();
  const { data: workflow, error, refetch } = useQuery(workflowQuery(workflowId));
  const selected = compare?.split(',') ?? [];
  const go = (next: typeof search, ids: readonly string[]) =>
    void navigate({
      to: '/workflows/$workflowId/runs',
      params: { workflowId },
      search: { ...next, ...(ids.length > 0 && { compare: ids.join(',') }) },
      replace: true,
    });
  // The older run is the first one.
  const [first, second] = [...selected].sort((a, b) => Number(a) - Number(b));
  const isUnreadable = error !== null && !workflow;
  return (
    <Page
      title="Runs"
      tabTitle={workflow ? `Runs of ${workflow.name}` : 'Runs'}
      breadcrumb={
        <>
          <Link to="/workflows" className="hover:text-ink">
            Workflows
          </Link>
          <Icon name="chevronRight" size={12} />
          <Link
            to="/workflows/$workflowId"
            params={{ workflowId }}
            dir="auto"
            className="max-w-100 truncate hover:text-ink"
          >
            {workflow?.name ?? 'Workflow'}
          </Link>
        </>
      }
      actions={
        first !== undefined &&
        second !== undefined && (
          <Link
            to="/runs/$runId/compare/$otherId"
            params={{ runId: first, otherId: second }}
            className={buttonClass('primary')}
          >
            <Icon name="gitCompare" />
            Compare #{first} with #{second}
          </Link>
        )
      }
    >
      {isUnreadable ? (
        <ErrorNote error={error} onRetry={() => void refetch()} className="mx-6" />
      ) : (
        <RunsList
          search={search}
          workflow={workflowId}
          selected={selected}
          onSearch={(next) => go(next, selected)}
          onSelect={(ids) => go(search, ids)}
          empty={
            <EmptyState
              icon="play"
              title="This workflow has not run yet"
              actions={
                <Link to="/workflows/$workflowId" params={{ workflowId }} className={buttonClass('primary')}>
                  Open the workflow
                </Link>
              }
            >
              Open it and run it. Its runs appear here, and any two of them can be compared.
            </EmptyState>
          }
        />
      )}
    </Page>
  );
}
