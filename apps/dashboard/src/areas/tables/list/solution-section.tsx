import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Dataset, View } from '@millrace/client';
import { client } from '../../../api/client.js';
import { queryClient } from '../../../api/query-client.js';
import { useSpaceRole } from '../../../api/roles.js';
import { formatCount } from '../../../text/format-count.js';
import { IconButton } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { Icon } from '../../../ui/icon.js';
import { Menu } from '../../../ui/menu.js';
import { CELL, HEAD_CELL, Table } from '../../../ui/table.js';
import { Time } from '../../../ui/time.js';
import { CreateTableDialog, EditSolutionDialog } from './create-dialogs.js';
import type { SolutionGroup } from './group-tables.js';
import { viewsQuery } from './list-queries.js';

/** A solution with its tables and views. */
export function SolutionSection({ group, space }: { group: SolutionGroup; space: string | undefined }) {
  const { solution, tables } = group;
  const name = solution?.name ?? 'Solution';
  const canEdit = useSpaceRole(group.space, 'write');
  const views = useQuery(viewsQuery(group.id));
  const [dialog, setDialog] = useState<'table' | 'edit' | 'delete'>();
  const close = () => setDialog(undefined);
  return (
    <section className="mt-6" aria-label={name}>
      <div className="mb-2 flex min-h-8 items-center gap-2">
        <Icon name="database" className="text-muted" />
        <h2 dir="auto" title={solution?.description ?? name} className="min-w-0 truncate text-base!">
          {name}
        </h2>
        {space !== undefined && (
          <span dir="auto" title={`Space ${space}`} className="max-w-60 truncate text-xs text-muted">
            {space}
          </span>
        )}
        {solution?.is_public && (
          <span
            title="Every member of the vault may query it"
            className="rounded-full bg-pressed px-2 text-xs text-muted"
          >
            Public
          </span>
        )}
        <span className="flex-1" />
        {canEdit && solution && (
          <Menu
            trigger={<IconButton icon="more" label={`Actions of ${name}`} />}
            groups={[
              [
                { label: 'New table', icon: 'plus', onSelect: () => setDialog('table') },
                { label: 'Edit', icon: 'pencil', onSelect: () => setDialog('edit') },
              ],
              [{ label: 'Delete', icon: 'trash', isDangerous: true, onSelect: () => setDialog('delete') }],
            ]}
          />
        )}
      </div>
      {tables.length === 0 ? (
        <p className="rounded-md border border-line px-3 py-2.5 text-sm text-muted">This solution has no tables yet.</p>
      ) : (
        <TablesOf label={`Tables and views of ${name}`} tables={tables} views={views.data?.results ?? []} />
      )}
      {dialog === 'table' && <CreateTableDialog solution={group.id} onClose={close} />}
      {dialog === 'edit' && solution && <EditSolutionDialog solution={solution} onClose={close} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete the solution “${name}”?`}
          description="Its tables, views and rows are deleted, and runs no longer load into them. This cannot be undone."
          action="Delete the solution"
          typedName={name}
          onConfirm={async () => {
            await client.solutions.delete(group.id);
            await queryClient.invalidateQueries({ queryKey: ['tables'] });
          }}
          onClose={close}
        />
      )}
    </section>
  );
}

function TablesOf({ label, tables, views }: { label: string; tables: readonly Dataset[]; views: readonly View[] }) {
  return (
    <Table
      label={label}
      head={
        <>
          <th className={`${HEAD_CELL} w-1/3`}>Name</th>
          <th className={`${HEAD_CELL} w-1/2`}>Description</th>
          <th className={`${HEAD_CELL} text-right`}>Rows</th>
          <th className={`${HEAD_CELL} text-right`}>Rejected</th>
          <th className={`${HEAD_CELL} w-32 text-right`}>Last load</th>
        </>
      }
    >
      {tables.map((table) => (
        <tr key={table.id} className="hover:bg-hover">
          <td className={`${CELL} max-w-0`}>
            <Link
              to="/tables/$tableId"
              params={{ tableId: table.id }}
              className="flex min-w-0 items-center gap-2 font-medium"
            >
              <Icon name="table" className="text-muted" />
              <span dir="auto" title={table.name} className="truncate hover:underline">
                {table.name}
              </span>
            </Link>
          </td>
          <td dir="auto" className={`${CELL} max-w-0 truncate text-muted`} title={table.description}>
            {table.description}
          </td>
          <td className={`${CELL} nums text-right`}>{formatCount(table.row_count)}</td>
          <td className={`${CELL} nums text-right ${table.rejected_count > 0 ? 'text-stopped' : 'text-muted'}`}>
            {formatCount(table.rejected_count)}
          </td>
          <td className={`${CELL} text-right text-muted`}>
            {table.loaded_date === undefined ? 'Never' : <Time value={table.loaded_date} />}
          </td>
        </tr>
      ))}
      {views.map((view) => (
        <ViewRow key={view.id} view={view} table={tables.find(({ id }) => id === view.dataset)} />
      ))}
    </Table>
  );
}

const ViewRow = ({ view, table }: { view: View; table: Dataset | undefined }) => (
  <tr className="hover:bg-hover">
    <td className={`${CELL} max-w-0`}>
      <Link
        to="/solutions/$solutionId/views/$viewId"
        params={{ solutionId: view.solution, viewId: view.id }}
        className="flex min-w-0 items-center gap-2"
      >
        <Icon name="filter" className="text-muted" label="View" />
        <span dir="auto" title={view.name} className="truncate hover:underline">
          {view.name}
        </span>
      </Link>
    </td>
    <td colSpan={4} className={`${CELL} max-w-0 truncate text-muted`}>
      {table && <span dir="auto">View of {table.name}</span>}
      {view.q && <code className="ml-2 font-mono text-xs">{view.q}</code>}
    </td>
  </tr>
);
