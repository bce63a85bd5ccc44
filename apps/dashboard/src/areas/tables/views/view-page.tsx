import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Dataset, View } from '@millrace/client';
import { ErrorNote } from '../../../ui/error-note.js';
import { Page } from '../../../ui/page.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { CommandsButton } from '../commands/commands-button.js';
import { viewRoute } from '../routes.js';
import { RowsTab } from '../table/rows-tab.js';
import { TablePath, Title } from '../table/table-path.js';
import { tableQuery } from '../table/table-queries.js';
import { changeSearch } from '../table/table-search.js';
import { FollowButton } from './follow-button.js';
import { ViewMenu } from './view-menu.js';
import { viewQuery } from './view-queries.js';

/** The rows of a view, which the query narrows further. */
export function ViewPage() {
  const { solutionId, viewId } = viewRoute.useParams();
  const view = useQuery(viewQuery(solutionId, viewId));
  const table = useQuery({ ...tableQuery(view.data?.dataset ?? ''), enabled: view.data !== undefined });
  const failed = view.error ? view : table.error && !table.data ? table : undefined;
  if (view.data && table.data) return <LoadedView key={viewId} view={view.data} table={table.data} />;
  return (
    <Page title="View">
      {failed ? (
        <div className="px-6">
          <ErrorNote error={failed.error} onRetry={() => void failed.refetch()} />
        </div>
      ) : (
        <Skeleton />
      )}
    </Page>
  );
}

function LoadedView({ view, table }: { view: View; table: Dataset }) {
  const search = viewRoute.useSearch();
  const navigate = viewRoute.useNavigate();
  return (
    <Page
      isFull
      title={<Title name={view.name} />}
      tabTitle={view.name}
      breadcrumb={<TablePath table={table} isTableLinked />}
      actions={
        <>
          <FollowButton table={table.id} view={{ solution: view.solution, id: view.id }} />
          <CommandsButton view={view} table={table} search={search} />
          <ViewMenu view={view} table={table} search={search} />
        </>
      }
    >
      <div className="flex flex-wrap items-baseline gap-x-3 px-6 pt-2.5 text-sm text-muted max-sm:px-4">
        {view.description && (
          <span dir="auto" className="wrap-text">
            {view.description}
          </span>
        )}
        {view.q && <code className="wrap-text font-mono text-xs text-ink">{view.q}</code>}
        <Link
          to="/tables/$tableId"
          params={{ tableId: table.id }}
          search={{
            ...(view.q && { q: view.q }),
            ...(view.order && { order: view.order }),
            ...(view.select && { columns: view.select }),
          }}
          className="link text-xs"
        >
          Open as a query of the table
        </Link>
      </div>
      <RowsTab
        table={table}
        view={view}
        search={search}
        onSearch={(change, replace = false) =>
          void navigate({ search: (old) => changeSearch(old, change), replace, resetScroll: false })
        }
      />
    </Page>
  );
}
