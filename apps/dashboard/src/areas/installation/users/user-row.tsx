import type { AdminUser } from '@millrace/client';
import { IconButton } from '../../../ui/button.js';
import { Menu } from '../../../ui/menu.js';
import { Badge } from '../../../ui/status.js';
import { CELL } from '../../../ui/table.js';
import { Time } from '../../../ui/time.js';
import { ActionsCell, RecordRow } from '../parts/record-row.js';
import { ACTIONS, FROM_MEDIUM, FROM_WIDE, type Column } from '../parts/record-table.js';
import { VaultLink } from '../vaults/vault-link.js';
import { useUserActions } from './use-user-actions.js';
import { USER_LOOKS } from './user-looks.js';

export const USER_COLUMNS: readonly Column[] = [
  { title: 'Email' },
  { title: 'Name', className: FROM_MEDIUM },
  { title: 'Vault', className: FROM_MEDIUM },
  { title: 'Role', className: FROM_WIDE },
  { title: 'State' },
  { title: 'Last sign-in', className: FROM_MEDIUM },
  ACTIONS,
];

interface UserRowProps {
  user: AdminUser;
  isOpen: boolean;
  onSuspend: () => void;
}

export function UserRow({ user, isOpen, onSuspend }: UserRowProps) {
  const { id, email, name, vault, state, last_sign_in_date: lastSignIn } = user;
  const actions = useUserActions(user, onSuspend);
  return (
    <RecordRow
      id={id}
      name={email}
      isOpen={isOpen}
      note={user.instance_role && <span className="text-xs text-accent-ink">administrator</span>}
    >
      <td className={`${CELL} max-w-44 truncate ${FROM_MEDIUM}`} title={name} dir="auto">
        {name}
      </td>
      <td className={`${CELL} relative z-1 max-w-44 truncate ${FROM_MEDIUM}`} title={vault.name}>
        <VaultLink vault={vault} className="hover:underline" />
      </td>
      <td className={`${CELL} text-muted ${FROM_WIDE}`}>{vault.role}</td>
      <td className={CELL}>
        <Badge {...USER_LOOKS[state]} />
      </td>
      <td className={`${CELL} text-muted ${FROM_MEDIUM}`}>
        {lastSignIn === undefined ? 'not lately' : <Time value={lastSignIn} />}
      </td>
      <ActionsCell>
        <Menu
          trigger={<IconButton icon="dots" label={`Actions for ${email}`} className="h-7! w-7!" />}
          groups={[actions]}
        />
      </ActionsCell>
    </RecordRow>
  );
}
