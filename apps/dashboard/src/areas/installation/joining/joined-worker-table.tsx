import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JoinedWorker } from '@millrace/client';
import { client } from '../../../api/client.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { SearchInput } from '../../../ui/search-input.js';
import { CELL } from '../../../ui/table.js';
import { Time } from '../../../ui/time.js';
import { useRefresh } from '../parts/area-queries.js';
import { LabelCell } from '../parts/label-list.js';
import { ActionsCell } from '../parts/record-row.js';
import { ACTIONS, FROM_MEDIUM, FROM_WIDE, RecordTable, type Column } from '../parts/record-table.js';
import { useInstallationSearch } from '../parts/use-installation-search.js';
import { joinedWorkersQuery, PAGE_SIZE } from './queries.js';

const COLUMNS: readonly Column[] = [
  { title: 'Machine' },
  { title: 'Fleet' },
  { title: 'Labels', className: FROM_WIDE },
  { title: 'Joined with', className: FROM_MEDIUM },
  { title: 'Address', className: FROM_WIDE },
  { title: 'Joined', className: FROM_MEDIUM },
  { title: 'Last connected' },
  ACTIONS,
];

/** The workers that have credentials of their own. */
export function JoinedWorkerTable() {
  const { search, change, filterText } = useInstallationSearch();
  const { q, page } = search;
  const refresh = useRefresh();
  const [revoking, setRevoking] = useState<JoinedWorker>();
  return (
    <>
      <SearchInput label="Search joined workers" value={q ?? ''} onChange={filterText} className="mb-3 w-64" />
      <RecordTable
        label="Joined workers"
        columns={COLUMNS}
        list={useQuery(joinedWorkersQuery({ ...(q !== undefined && { q }), ...(page !== undefined && { page }) }))}
        pages={{ page, size: PAGE_SIZE, noun: 'worker', onPage: (next) => change({ page: next }) }}
        empty={
          <p className="text-sm text-muted">
            {q === undefined ? 'No machine has joined with a token.' : `No machine, id or fleet contains “${q}”.`}
          </p>
        }
      >
        {(worker) => <JoinedWorkerRow key={worker.id} worker={worker} onRevoke={() => setRevoking(worker)} />}
      </RecordTable>
      {revoking && (
        <ConfirmDialog
          title={`Revoke the worker “${revoking.name}”?`}
          description="Its connections are closed and its credentials are refused. Its steps run again on other workers. The machine can join again with a token."
          action="Revoke"
          onConfirm={async () => {
            await client.joinedWorkers.revoke(revoking.id);
            await refresh();
          }}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  );
}

function JoinedWorkerRow({ worker, onRevoke }: { worker: JoinedWorker; onRevoke: () => void }) {
  const { id, name, fleet, labels, token_name: token, address, last_connected_date: connected } = worker;
  return (
    <tr>
      <td className={`${CELL} w-full max-w-0 min-w-40 truncate`} title={`${name}, ${id}`}>
        <span dir="auto" className="font-medium">
          {name}
        </span>
        <span className="ml-2 font-mono text-xs text-muted">{id}</span>
      </td>
      <td className={CELL}>{fleet}</td>
      <LabelCell labels={labels} className={FROM_WIDE} />
      <td className={`${CELL} max-w-40 truncate text-muted ${FROM_MEDIUM}`} title={token} dir="auto">
        {token}
      </td>
      <td className={`${CELL} text-muted ${FROM_WIDE}`}>{address}</td>
      <td className={`${CELL} text-muted ${FROM_MEDIUM}`}>
        <Time value={worker.joined_date} />
      </td>
      <td className={`${CELL} text-muted`}>{connected === undefined ? 'never' : <Time value={connected} />}</td>
      <ActionsCell>
        <Button look="danger" aria-label={`Revoke the worker ${name}`} onClick={onRevoke} className="h-7!">
          Revoke
        </Button>
      </ActionsCell>
    </tr>
  );
}
