import { useQuery } from '@tanstack/react-query';
import type { AdminUser } from '@millrace/client';
import { formatCount } from '../../../text/format-count.js';
import { Fact, FactList } from '../../../ui/fact-list.js';
import { Badge } from '../../../ui/status.js';
import { Time } from '../../../ui/time.js';
import { ActionButtons } from '../parts/action-buttons.js';
import { RecordPanel } from '../parts/record-panel.js';
import { VaultLink } from '../vaults/vault-link.js';
import { userQuery } from './queries.js';
import { useUserActions } from './use-user-actions.js';
import { USER_LOOKS } from './user-looks.js';

interface UserPanelProps {
  id: string;
  onSuspend: (user: AdminUser) => void;
  onClose: () => void;
}

/** All that an administrator may know about a user: no credential, and nothing in the vault. */
export function UserPanel({ id, onSuspend, onClose }: UserPanelProps) {
  return (
    <RecordPanel kind="User" query={useQuery(userQuery(id))} titleOf={({ email }) => email} onClose={onClose}>
      {(user) => <Details user={user} onSuspend={() => onSuspend(user)} />}
    </RecordPanel>
  );
}

function Details({ user, onSuspend }: { user: AdminUser; onSuspend: () => void }) {
  const { state, vault, suspended_reason: reason, suspended_date: suspended, last_sign_in_date: lastSignIn } = user;
  return (
    <>
      <ActionButtons actions={useUserActions(user, onSuspend)}>
        <Badge {...USER_LOOKS[state]} />
      </ActionButtons>
      {suspended !== undefined && (
        <p className="wrap-text text-sm">
          Suspended <Time value={suspended} />: <span dir="auto">{reason}</span>
        </p>
      )}
      {state === 'disabled' && (
        <p className="text-sm">An owner of the vault has disabled the user, and can enable them again.</p>
      )}
      <FactList>
        <Fact label="Name">
          <span dir="auto">{user.name}</span>
        </Fact>
        <Fact label="Vault">
          <VaultLink vault={vault} className="link" />
        </Fact>
        <Fact label="Role in the vault">{vault.role}</Fact>
        <Fact label="Administrator">{user.instance_role ? 'of the installation' : 'no'}</Fact>
        <Fact label="Sign-in">{user.is_google ? 'Google' : 'Email and password'}</Fact>
        <Fact label="Second factor">{user.mfa_enabled ? 'yes' : 'no'}</Fact>
        <Fact label="API token">{user.has_api_token ? 'yes' : 'no'}</Fact>
        <Fact label="Sessions">{formatCount(user.active_sessions)}</Fact>
        <Fact label="Last sign-in">{lastSignIn === undefined ? 'not lately' : <Time value={lastSignIn} />}</Fact>
        <Fact label="Signed up">
          <Time value={user.created_date} />
        </Fact>
        <Fact label="Id">
          <span className="font-mono text-xs">{user.id}</span>
        </Fact>
      </FactList>
    </>
  );
}
