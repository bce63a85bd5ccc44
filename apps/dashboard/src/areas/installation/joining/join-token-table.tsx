import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JoinToken } from '@millrace/client';
import { client } from '../../../api/client.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { Badge } from '../../../ui/status.js';
import { CELL } from '../../../ui/table.js';
import { Time } from '../../../ui/time.js';
import { useRefresh } from '../parts/area-queries.js';
import { LabelCell } from '../parts/label-list.js';
import { ActionsCell } from '../parts/record-row.js';
import { ACTIONS, FROM_MEDIUM, FROM_WIDE, RecordTable, type Column } from '../parts/record-table.js';
import { joinTokensQuery, PAGE_SIZE } from './queries.js';
import { TOKEN_LOOKS } from './token-looks.js';

const COLUMNS: readonly Column[] = [
  { title: 'Token' },
  { title: 'State' },
  { title: 'Fleet', className: FROM_MEDIUM },
  { title: 'Labels', className: FROM_WIDE },
  { title: 'Used', className: 'text-right' },
  { title: 'Expires', className: FROM_MEDIUM },
  { title: 'Created by', className: FROM_WIDE },
  ACTIONS,
];

/** The tokens with which machines join. */
export function JoinTokenTable() {
  const refresh = useRefresh();
  const [page, setPage] = useState(1);
  const [revoking, setRevoking] = useState<JoinToken>();
  return (
    <>
      <RecordTable
        label="Join tokens"
        columns={COLUMNS}
        list={useQuery(joinTokensQuery(page))}
        pages={{ page, size: PAGE_SIZE, noun: 'token', onPage: setPage }}
        empty={
          <p className="text-sm text-muted">
            No tokens. Create one to let another machine execute steps: it needs one command, and no secret of the
            installation.
          </p>
        }
      >
        {(token) => <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />}
      </RecordTable>
      {revoking && (
        <ConfirmDialog
          title={`Revoke the join token “${revoking.name}”?`}
          description="No machine joins with it from then on. Workers that have joined stay."
          action="Revoke"
          onConfirm={async () => {
            await client.joinTokens.revoke(revoking.id);
            await refresh();
          }}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  );
}

function TokenRow({ token, onRevoke }: { token: JoinToken; onRevoke: () => void }) {
  const { name, prefix, state, fleet, labels, uses, max_uses: maxUses, created_by: author } = token;
  return (
    <tr>
      <td className={`${CELL} w-full max-w-0 min-w-40 truncate`} title={name}>
        <span dir="auto" className="font-medium">
          {name}
        </span>
        <code className="ml-2 font-mono text-xs text-muted">{prefix}…</code>
      </td>
      <td className={CELL}>
        <Badge {...TOKEN_LOOKS[state]} />
      </td>
      <td className={`${CELL} ${FROM_MEDIUM}`}>{fleet}</td>
      <LabelCell labels={labels} className={FROM_WIDE} />
      <td className={`${CELL} nums text-right`}>
        {uses} of {maxUses}
      </td>
      <td className={`${CELL} text-muted ${FROM_MEDIUM}`}>
        <Time value={token.expires_date} />
      </td>
      <td className={`${CELL} max-w-40 truncate text-muted ${FROM_WIDE}`} title={author}>
        {author ?? 'a deleted account'}
      </td>
      <ActionsCell>
        {state === 'active' && (
          <Button look="danger" aria-label={`Revoke the token ${name}`} onClick={onRevoke} className="h-7!">
            Revoke
          </Button>
        )}
      </ActionsCell>
    </tr>
  );
}
