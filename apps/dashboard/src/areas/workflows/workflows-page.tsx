import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useSpaceRole, useVaultRole } from '../../api/roles.js';
import { useSpacesWithRole } from '../../api/spaces.js';
import { Button } from '../../ui/button.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ErrorNote } from '../../ui/error-note.js';
import { Page } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { SearchInput } from '../../ui/search-input.js';
import { Skeleton } from '../../ui/skeleton.js';
import { ImportWorkflowDialog } from './dialogs/import-workflow-dialog.js';
import { NewWorkflowDialog } from './dialogs/new-workflow-dialog.js';
import { SpaceDialog } from './dialogs/space-dialog.js';
import { PAGE_SIZE, workflowsQuery } from './queries.js';
import { workflowsRoute } from './routes.js';
import { DEFAULT_SORT, type WorkflowsSearch } from './search.js';
import { SpaceTree } from './tree/space-tree.js';
import { WorkflowTable } from './workflow-table.js';

type OpenDialog = 'new' | 'import' | 'space';

/** Spaces and projects as a tree, and the workflows of the chosen one as a list. */
export function WorkflowsPage() {
  const search = workflowsRoute.useSearch();
  const navigate = workflowsRoute.useNavigate();
  const [dialog, setDialog] = useState<OpenDialog>();
  const canCreateSpaces = useVaultRole('space_admin');
  const canEditSpace = useSpaceRole(search.space, 'write');
  const canEditAny = useSpacesWithRole('write').length > 0;
  const canCreate = search.space === undefined ? canEditAny : canEditSpace;
  const change = useCallback(
    (next: Partial<WorkflowsSearch>) =>
      void navigate({ search: (previous) => ({ ...previous, page: undefined, ...next }) as WorkflowsSearch }),
    [navigate],
  );
  const onSearch = useCallback((q: string) => change({ q }), [change]);
  const close = () => setDialog(undefined);
  return (
    <Page
      title="Workflows"
      actions={
        <>
          {canCreateSpaces && (
            <Button look="quiet" icon="plus" onClick={() => setDialog('space')}>
              New space
            </Button>
          )}
          {canCreate && (
            <>
              <Button icon="upload" onClick={() => setDialog('import')}>
                Import
              </Button>
              <Button look="primary" icon="plus" onClick={() => setDialog('new')}>
                New workflow
              </Button>
            </>
          )}
        </>
      }
    >
      <div className="flex gap-6 px-6 max-md:flex-col max-sm:px-4">
        <SpaceTree space={search.space} project={search.project} />
        <div className="min-w-0 flex-1">
          <SearchInput label="Search workflows" value={search.q ?? ''} onChange={onSearch} className="mb-3 max-w-80" />
          <WorkflowList search={search} onChange={change} onNew={canCreate ? () => setDialog('new') : undefined} />
        </div>
      </div>
      {dialog === 'new' && <NewWorkflowDialog {...search} onClose={close} />}
      {dialog === 'import' && <ImportWorkflowDialog {...search} onClose={close} />}
      {dialog === 'space' && <SpaceDialog onClose={close} />}
    </Page>
  );
}

interface WorkflowListProps {
  search: WorkflowsSearch;
  onChange: (search: Partial<WorkflowsSearch>) => void;
  onNew: (() => void) | undefined;
}

function WorkflowList({ search, onChange, onNew }: WorkflowListProps) {
  const { data, error, refetch } = useQuery(workflowsQuery(search));
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  const { page = 1, sort = DEFAULT_SORT, q } = search;
  if (data.count === 0 && q !== undefined)
    return <EmptyState icon="search" title="No workflow has this text in its name or description" />;
  if (data.count === 0)
    return (
      <EmptyState
        icon="workflow"
        title="No workflows yet"
        actions={
          onNew && (
            <Button look="primary" icon="plus" onClick={onNew}>
              New workflow
            </Button>
          )
        }
      >
        A workflow is a graph of tools, scripts and modules. Draw one, or import a YAML file.
      </EmptyState>
    );
  return (
    <>
      <WorkflowTable
        workflows={data.results}
        sort={sort}
        isInSpace={search.space !== undefined}
        onSort={(next) => onChange({ sort: next })}
      />
      <Pager
        page={page}
        pageSize={PAGE_SIZE}
        count={data.count}
        noun="workflow"
        onPage={(next) => onChange({ page: next })}
      />
    </>
  );
}
