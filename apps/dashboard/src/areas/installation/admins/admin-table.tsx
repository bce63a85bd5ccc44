import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Admin } from '@millrace/client';
import { client } from '../../../api/client.js';
import { meQuery } from '../../../api/session.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { CELL } from '../../../ui/table.js';
import { Time } from '../../../ui/time.js';
import { useRefresh } from '../parts/area-queries.js';
import { ActionsCell } from '../parts/record-row.js';
import { ACTIONS, FROM_MEDIUM, RecordTable, type Column } from '../parts/record-table.js';
import { adminsQuery, PAGE_SIZE } from './queries.js';

const COLUMNS: readonly Column[] = [
  { title: 'Administrator' },
  { title: 'Name', className: FROM_MEDIUM },
  { title: 'Second factor' },
  { title: 'Granted by', className: FROM_MEDIUM },
  { title: 'Since' },
  ACTIONS,
];

/** The administrators, and who of them has no second factor. */
export function AdminTable() {
  const queryClient = useQueryClient();
  const refresh = useRefresh();
  const { data: me } = useQuery(meQuery);
  const [page, setPage] = useState(1);
  const [revoking, setRevoking] = useState<Admin>();
  const isOwn = revoking?.id === me?.id;
  return (
    <>
      <RecordTable
        label="Administrators"
        columns={COLUMNS}
        list={useQuery(adminsQuery(page))}
        pages={{ page, size: PAGE_SIZE, noun: 'administrator', onPage: setPage }}
        empty={null}
      >
        {(admin) => <AdminRow key={admin.id} admin={admin} onRevoke={() => setRevoking(admin)} />}
      </RecordTable>
      {revoking && (
        <ConfirmDialog
          title={isOwn ? 'Give up your role as an administrator?' : `Revoke the role of ${revoking.email}?`}
          description={
            isOwn
              ? 'You lose these pages at once, and your admin tokens end. Another administrator can grant you the role again.'
              : 'They lose these pages at once, and their admin tokens end. Their account and their vault stay.'
          }
          action="Revoke"
          onConfirm={async () => {
            await client.admins.revoke(revoking.id);
            await (isOwn ? queryClient.invalidateQueries(meQuery) : refresh());
          }}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  );
}

function AdminRow({ admin, onRevoke }: { admin: Admin; onRevoke: () => void }) {
  const { email, name, mfa_enabled: hasFactor, granted_by: by, granted_date: since } = admin;
  return (
    <tr>
      <td className={`${CELL} w-full max-w-0 min-w-44 truncate font-medium`} title={email}>
        {email}
      </td>
      <td className={`${CELL} max-w-44 truncate ${FROM_MEDIUM}`} title={name} dir="auto">
        {name}
      </td>
      <td className={`${CELL} ${hasFactor ? 'text-succeeded' : 'text-failed'}`}>{hasFactor ? 'yes' : 'none'}</td>
      <td className={`${CELL} max-w-44 truncate text-muted ${FROM_MEDIUM}`} title={by}>
        {by ?? 'npm run admin'}
      </td>
      <td className={`${CELL} text-muted`}>
        <Time value={since} />
      </td>
      <ActionsCell>
        <Button look="danger" aria-label={`Revoke the role of ${email}`} onClick={onRevoke} className="h-7!">
          Revoke
        </Button>
      </ActionsCell>
    </tr>
  );
}
