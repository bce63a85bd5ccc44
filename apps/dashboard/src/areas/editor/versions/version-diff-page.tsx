import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { client } from '../../../api/client.js';
import { workflowQuery } from '../../../api/workflow-query.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Page } from '../../../ui/page.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { describeChanges } from '../conflict/describe-changes.js';
import { diffDocuments } from '../document/diff.js';
import { readDocument } from '../document/document.js';
import { versionDiffRoute } from '../routes.js';
import { DiffGraph } from './diff-graph.js';
import { DiffList } from './diff-list.js';
import { VersionDiffActions } from './version-diff-actions.js';

/** The changes from one version to another: on the canvas, and field by field. */
export function VersionDiffPage() {
  const { workflowId, range } = versionDiffRoute.useParams();
  const [from = '', to = ''] = range.split('...');
  const workflow = useQuery(workflowQuery(workflowId));
  const versions = useQuery({
    queryKey: ['editor', 'diff', workflowId, from, to],
    queryFn: async ({ signal }) =>
      Promise.all([from, to].map((version) => client.versions.get(workflowId, version, { signal }))),
    staleTime: Infinity,
  });
  const [before, after] = versions.data ?? [];
  const documents = useMemo(
    () => before && after && { from: readDocument(before.data), to: readDocument(after.data) },
    [before, after],
  );
  const diff = useMemo(() => documents && diffDocuments(documents.from, documents.to), [documents]);
  const error = workflow.error ?? versions.error;
  return (
    <Page
      title={before && after ? `Version ${before.number} to ${after.number}` : 'Changes'}
      tabTitle={`Changes of ${workflow.data?.name ?? 'a workflow'}`}
      breadcrumb={
        <>
          <Link to="/workflows" className="hover:underline">
            Workflows
          </Link>
          <span aria-hidden>/</span>
          <Link to="/workflows/$workflowId" params={{ workflowId }} dir="auto" className="wrap-text hover:underline">
            {workflow.data?.name ?? 'Workflow'}
          </Link>
        </>
      }
      aside={
        diff && <span className="text-xs text-muted">{diff.length === 0 ? 'no changes' : describeChanges(diff)}</span>
      }
      actions={
        <>
          <Link
            to="/workflows/$workflowId"
            params={{ workflowId }}
            search={{ view: 'versions' }}
            className="link text-sm"
          >
            All versions
          </Link>
          {workflow.data && before && after && (
            <VersionDiffActions workflow={workflow.data} before={before} after={after} />
          )}
        </>
      }
      isFull
    >
      {error && (
        <div className="px-6">
          <ErrorNote error={error} onRetry={() => void versions.refetch()} />
        </div>
      )}
      {!error && !diff && <Skeleton rows={10} />}
      {documents && diff && (
        <div className="flex min-h-0 flex-1 max-lg:flex-col">
          <DiffGraph from={documents.from} to={documents.to} diff={diff} />
          <DiffList diff={diff} />
        </div>
      )}
    </Page>
  );
}
