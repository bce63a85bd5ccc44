import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Dataset } from '@millrace/client';
import { useSpaceRole } from '../../../api/roles.js';
import { Button } from '../../../ui/button.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Page } from '../../../ui/page.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { Tabs } from '../../../ui/tabs.js';
import { Time } from '../../../ui/time.js';
import { CommandsButton } from '../commands/commands-button.js';
import { tableRoute } from '../routes.js';
import { UploadDialog } from '../transfer/upload-dialog.js';
import { FollowButton } from '../views/follow-button.js';
import { ViewsMenu } from '../views/views-menu.js';
import { TableContent } from './table-content.js';
import { TableMenu } from './table-menu.js';
import { TablePath, Title } from './table-path.js';
import { tableQuery } from './table-queries.js';
import { type ChangeSearch, changeSearch } from './table-search.js';

export function TablePage() {
  const { tableId } = tableRoute.useParams();
  const table = useQuery(tableQuery(tableId));
  if (table.data) return <LoadedTable key={tableId} table={table.data} />;
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
}

const TABS = [
  { value: 'rows', label: 'Rows' },
  { value: 'changes', label: 'Changes' },
  { value: 'loads', label: 'Loads' },
  { value: 'columns', label: 'Columns' },
  { value: 'chart', label: 'Chart' },
] as const;

function LoadedTable({ table }: { table: Dataset }) {
  const search = tableRoute.useSearch();
  const navigate = tableRoute.useNavigate();
  const canEdit = useSpaceRole(table.space, 'write');
  const [isUploading, setUploading] = useState(false);
  const onSearch: ChangeSearch = (change, replace = false) =>
    void navigate({ search: (old) => changeSearch(old, change), replace, resetScroll: false });
  const { tab = 'rows' } = search;
  return (
    <Page
      isFull
      title={<Title name={table.name} />}
      tabTitle={table.name}
      breadcrumb={<TablePath table={table} />}
      aside={
        <span className="text-xs text-muted">
          {table.loaded_date === undefined ? (
            'Nothing loaded yet'
          ) : (
            <>
              Loaded <Time value={table.loaded_date} />
            </>
          )}
        </span>
      }
      actions={
        <>
          <ViewsMenu table={table} />
          <FollowButton table={table.id} />
          {canEdit && (
            <Button icon="upload" onClick={() => setUploading(true)}>
              Upload
            </Button>
          )}
          <CommandsButton table={table} search={search} />
          {canEdit && <TableMenu table={table} />}
        </>
      }
    >
      <Tabs
        label="Parts of the table"
        tabs={TABS}
        value={tab}
        onChange={(next) => onSearch({ tab: next, row: undefined, load: undefined })}
        className="px-6 max-sm:px-4"
        panelClassName="flex min-h-0 flex-1 flex-col"
      >
        <TableContent
          tab={tab}
          table={table}
          search={search}
          onSearch={onSearch}
          onUpload={canEdit ? () => setUploading(true) : undefined}
        />
      </Tabs>
      {isUploading && (
        <UploadDialog
          table={table}
          onShowRejected={(load) => {
            setUploading(false);
            onSearch({ tab: 'loads', load });
          }}
          onClose={() => setUploading(false)}
        />
      )}
    </Page>
  );
}
