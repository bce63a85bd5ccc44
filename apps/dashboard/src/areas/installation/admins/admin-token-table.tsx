import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminToken } from '@millrace/client';
import { client } from '../../../api/client.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { CELL } from '../../../ui/table.js';
import { Time } from '../../../ui/time.js';
import { useRefresh } from '../parts/area-queries.js';
import { ActionsCell } from '../parts/record-row.js';
import { ACTIONS, FROM_MEDIUM, RecordTable, type Column } from '../parts/record-table.js';
import { adminTokensQuery, PAGE_SIZE } from './queries.js';

const COLUMNS: readonly Column[] = [
  { title: 'Token' },
  { title: 'Scope' },
  { title: 'Created', className: FROM_MEDIUM },
  { title: 'Expires' },
  ACTIONS,
];

/** The admin tokens of the user. */
export function AdminTokenTable() {
  const refresh = useRefresh();
  const [page, setPage] = useState(1);
  const [revoking, setRevoking] = useState<AdminToken>();
  return (
    <>
      <RecordTable
        label="Your admin tokens"
        columns={COLUMNS}
        list={useQuery(adminTokensQuery(page))}
        pages={{ page, size: PAGE_SIZE, noun: 'token', onPage: setPage }}
        empty={<p className="text-sm text-muted">You have none. A script needs one, because it has no session.</p>}
      >
        {(token) => <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />}
      </RecordTable>
      {revoking && (
        <ConfirmDialog
          title={`Revoke the admin token “${revoking.name}”?`}
          description="Scripts that use it stop working within a second."
          action="Revoke"
          onConfirm={async () => {
            await client.adminTokens.revoke(revoking.id);
            await refresh();
          }}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  );
}

const TokenRow = ({ token, onRevoke }: { token: AdminToken; onRevoke: () => void }) => (
  <tr>
    <td className={`${CELL} w-full max-w-0 min-w-40 truncate`} title={token.name}>
      <span dir="auto" className="font-medium">
        {token.name}
      </span>
      <code className="ml-2 font-mono text-xs text-muted">{token.prefix}…</code>
    </td>
    <td className={CELL}>{token.scope === 'read' ? 'only read' : 'read and change'}</td>
    <td className={`${CELL} text-muted ${FROM_MEDIUM}`}>
      <Time value={token.created_date} />
    </td>
    <td className={`${CELL} text-muted`}>
      <Time value={token.expires_date} />
    </td>
    <ActionsCell>
      <Button look="danger" aria-label={`Revoke the token ${token.name}`} onClick={onRevoke} className="h-7!">
        Revoke
      </Button>
    </ActionsCell>
  </tr>
);
