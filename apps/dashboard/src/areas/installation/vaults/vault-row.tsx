import type { AdminVault } from '@millrace/client';
import { formatBytes } from '../../../text/format-bytes.js';
import { formatCount } from '../../../text/format-count.js';
import { IconButton } from '../../../ui/button.js';
import { Menu } from '../../../ui/menu.js';
import { Badge } from '../../../ui/status.js';
import { CELL } from '../../../ui/table.js';
import { ActionsCell, NOTE, RecordRow } from '../parts/record-row.js';
import { ACTIONS, FROM_MEDIUM, FROM_WIDE, type Column } from '../parts/record-table.js';
import { useVaultActions, type VaultDialog } from './use-vault-actions.js';
import { VAULT_LOOKS } from './vault-looks.js';

export const VAULT_COLUMNS: readonly Column[] = [
  { title: 'Vault' },
  { title: 'Plan', className: FROM_WIDE },
  { title: 'State' },
  { title: 'Members', className: `text-right ${FROM_WIDE}` },
  { title: 'Active runs', className: `text-right ${FROM_MEDIUM}` },
  { title: 'Stored', className: `text-right ${FROM_MEDIUM}` },
  { title: 'Rows', className: `text-right ${FROM_MEDIUM}` },
  { title: 'Units this month', className: `text-right ${FROM_WIDE}` },
  ACTIONS,
];

interface VaultRowProps {
  vault: AdminVault;
  isOpen: boolean;
  onDialog: (dialog: VaultDialog) => void;
}

export function VaultRow({ vault, isOpen, onDialog }: VaultRowProps) {
  const { id, name, plan, state, members, owners, usage } = vault;
  const actions = useVaultActions(vault, onDialog);
  return (
    <RecordRow
      id={id}
      name={name}
      isOpen={isOpen}
      note={
        <span className={`${NOTE} text-muted`} title={owners.join(', ')}>
          {owners.join(', ')}
        </span>
      }
    >
      <td className={`${CELL} text-muted ${FROM_WIDE}`}>{plan}</td>
      <td className={CELL}>
        <Badge {...VAULT_LOOKS[state]} />
      </td>
      <Amount value={members} className={FROM_WIDE} />
      <Amount value={usage.active_runs} className={FROM_MEDIUM} />
      <Amount value={usage.stored_bytes} format={formatBytes} className={FROM_MEDIUM} />
      <Amount value={usage.live_rows} className={FROM_MEDIUM} />
      <Amount value={usage.execution_units} className={FROM_WIDE} />
      <ActionsCell>
        <Menu
          trigger={<IconButton icon="dots" label={`Actions for ${name}`} className="h-7! w-7!" />}
          header={owners.join(', ')}
          groups={[actions]}
        />
      </ActionsCell>
    </RecordRow>
  );
}

interface AmountProps {
  /** Absent if the service that counts it does not respond. */
  value: number | undefined;
  format?: (value: number) => string;
  className: string;
}

const Amount = ({ value, format = formatCount, className }: AmountProps) => (
  <td className={`${CELL} nums text-right ${className}`}>{value === undefined ? '–' : format(value)}</td>
);
