import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Fleet, FleetsListResponse } from '@millrace/client';
import { client } from '../../../api/client.js';
import { formatCount } from '../../../text/format-count.js';
import { formatDuration } from '../../../text/format-duration.js';
import { IconButton } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { CELL } from '../../../ui/table.js';
import { useRefresh } from '../parts/area-queries.js';
import { LabelCell } from '../parts/label-list.js';
import { ActionsCell } from '../parts/record-row.js';
import { ACTIONS, FROM_MEDIUM, FROM_WIDE, RecordTable, type Column } from '../parts/record-table.js';
import { SlotUse } from './worker-row.js';

const COLUMNS: readonly Column[] = [
  { title: 'Fleet' },
  { title: 'Workers', className: 'text-right' },
  { title: 'Slots in use' },
  { title: 'Subjobs waiting', className: 'text-right' },
  { title: 'Oldest', className: `text-right ${FROM_MEDIUM}` },
  { title: 'Common labels', className: FROM_WIDE },
  { title: 'Sizes', className: FROM_WIDE },
  ACTIONS,
];

/** Workers of one name, and what waits for them. */
export function FleetTable({ list }: { list: UseQueryResult<FleetsListResponse> }) {
  const refresh = useRefresh();
  const [forgetting, setForgetting] = useState<string>();
  return (
    <>
      <RecordTable
        label="Fleets"
        columns={COLUMNS}
        list={list}
        empty={<p className="text-sm text-muted">No worker has connected in the last 30 days.</p>}
      >
        {(fleet) => <FleetRow key={fleet.name} fleet={fleet} onForget={() => setForgetting(fleet.name)} />}
      </RecordTable>
      {forgetting !== undefined && (
        <ConfirmDialog
          title={`Forget the fleet “${forgetting}”?`}
          description="Subjobs that wait for it go to another fleet that has what they need, or wait for a worker that has it."
          action="Forget"
          onConfirm={async () => {
            await client.fleets.delete(forgetting);
            await refresh();
          }}
          onClose={() => setForgetting(undefined)}
        />
      )}
    </>
  );
}

function FleetRow({ fleet, onForget }: { fleet: Fleet; onForget: () => void }) {
  const { name, workers, slots, busy, waiting, oldest_waiting_seconds: oldest, labels, sizes } = fleet;
  return (
    <tr>
      <td className={`${CELL} w-full font-medium`}>
        <Link
          to="/installation/$section"
          params={{ section: 'workers' }}
          search={{ fleet: name }}
          className="hover:underline"
        >
          {name}
        </Link>
      </td>
      <td className={`${CELL} nums text-right ${workers === 0 ? 'text-failed' : ''}`}>{formatCount(workers)}</td>
      <td className={CELL}>
        <SlotUse name={`the fleet ${name}`} busy={busy} slots={slots} />
      </td>
      <td className={`${CELL} nums text-right`}>{formatCount(waiting)}</td>
      <td className={`${CELL} nums text-right text-muted ${FROM_MEDIUM}`}>
        {waiting === 0 ? '–' : formatDuration(1_000 * oldest)}
      </td>
      <LabelCell labels={labels} className={FROM_WIDE} />
      <td className={`${CELL} text-muted ${FROM_WIDE}`}>{sizes.join(', ')}</td>
      <ActionsCell>
        {workers === 0 && (
          <IconButton icon="trash" label={`Forget the fleet ${name}`} onClick={onForget} className="h-7! w-7!" />
        )}
      </ActionsCell>
    </tr>
  );
}
