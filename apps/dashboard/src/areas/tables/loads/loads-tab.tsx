import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Dataset } from '@millrace/client';
import { useSpaceRole } from '../../../api/roles.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Pager } from '../../../ui/pager.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { HEAD_CELL, Table } from '../../../ui/table.js';
import type { ChangeSearch, TableSearch } from '../table/table-search.js';
import { LOADS_PAGE_SIZE, loadsQuery } from './load-queries.js';
import { LoadRow } from './load-row.js';
import { RejectedPanel } from './rejected-panel.js';

interface LoadsTabProps {
  table: Dataset;
  search: TableSearch;
  onSearch: ChangeSearch;
}

/** The loads of a table with their numbers of rows, and the rows that could not be read. */
export function LoadsTab({ table, search, onSearch }: LoadsTabProps) {
  const [page, setPage] = useState(1);
  const loads = useQuery(loadsQuery(table.id, page));
  const canEdit = useSpaceRole(table.space, 'write');
  const { load } = search;
  return (
    <div className="flex min-h-0 flex-1">
      <div className="min-w-0 flex-1 overflow-y-auto px-6 py-4 max-sm:px-4">
        {loads.error && <ErrorNote error={loads.error} onRetry={() => void loads.refetch()} />}
        {loads.isPending && <Skeleton />}
        {loads.data?.count === 0 && (
          <EmptyState icon="download" title="Nothing was loaded yet">
            Each run of a workflow that is bound to this table, and each uploaded file, is one load.
          </EmptyState>
        )}
        {loads.data && loads.data.count > 0 && (
          <>
            <Table label="Loads" head={<Head />}>
              {loads.data.results.map((one) => (
                <LoadRow
                  key={one.id}
                  load={one}
                  canEdit={canEdit}
                  isSelected={one.id === load}
                  onShowRejected={() => onSearch({ load: one.id })}
                />
              ))}
            </Table>
            <Pager page={page} pageSize={LOADS_PAGE_SIZE} count={loads.data.count} noun="load" onPage={setPage} />
          </>
        )}
      </div>
      {load !== undefined && (
        <RejectedPanel key={load} table={table.id} load={load} onClose={() => onSearch({ load: undefined })} />
      )}
    </div>
  );
}

const NUMBERS = ['New', 'Changed', 'Unchanged', 'Gone', 'Rejected'];

const Head = () => (
  <>
    <th scope="col" className={HEAD_CELL}>
      Status
    </th>
    <th scope="col" className={HEAD_CELL}>
      From
    </th>
    {NUMBERS.map((label) => (
      <th key={label} scope="col" className={`${HEAD_CELL} text-right`}>
        {label}
      </th>
    ))}
    <th scope="col" className={`${HEAD_CELL} text-right`}>
      Started
    </th>
    <th scope="col" className={HEAD_CELL}>
      <span className="sr-only">Actions</span>
    </th>
  </>
);
