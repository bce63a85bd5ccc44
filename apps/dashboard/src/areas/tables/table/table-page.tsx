import { useQuery } from '@tanstack/react-query';
import type { Dataset } from '@millrace/client';
import { ErrorNote } from '../../../ui/error-note.js';
import { Page } from '../../../ui/page.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { tableRoute } from '../routes.js';
import { FollowButton } from '../views/follow-button.js';
import { ViewsMenu } from '../views/views-menu.js';
import { RowsTab } from './rows-tab.js';
import { TablePath } from './table-path.js';
import { tableQuery } from './table-queries.js';
import { changeSearch } from './table-search.js';

export function TablePage() {
  const { tableId } = tableRoute.useParams();
  const table = useQuery(tableQuery(tableId));
  if (!table.data)
    return (
      <Page title="Table">
        {table.error ? (
          <div className="px-6">
            <ErrorNote error={table.error} onRetry={() => void table.refetch()} />
          </div>
        ) : (
          <Skeleton />
        )}
      </Page>
    );
  return <LoadedTable key={tableId} table={table.data} />;
}

function LoadedTable({ table }: { table: Dataset }) {
  const search = tableRoute.useSearch();
  const navigate = tableRoute.useNavigate();
  return (
    <Page
      isFull
      title={<span dir="auto">{table.name}</span>}
      tabTitle={table.name}
      breadcrumb={<TablePath table={table} />}
      actions={
        <>
          <ViewsMenu table={table} />
          <FollowButton table={table.id} />
        </>
      }
    >
      <RowsTab
        table={table}
        search={search}
        onSearch={(change, replace = false) =>
          void navigate({ search: (old) => changeSearch(old, change), replace, resetScroll: false })
        }
      />
    </Page>
  );
}
