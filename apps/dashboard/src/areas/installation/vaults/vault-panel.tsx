import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AdminVault } from '@millrace/client';
import { formatBytes } from '../../../text/format-bytes.js';
import { countOf, formatCount } from '../../../text/format-count.js';
import { Fact, FactList } from '../../../ui/fact-list.js';
import { Meter } from '../../../ui/meter.js';
import { Badge } from '../../../ui/status.js';
import { Time } from '../../../ui/time.js';
import { ActionButtons } from '../parts/action-buttons.js';
import { RecordPanel } from '../parts/record-panel.js';
import { vaultQuery } from './queries.js';
import { useVaultActions, type VaultDialog } from './use-vault-actions.js';
import { VAULT_LOOKS } from './vault-looks.js';

interface VaultPanelProps {
  id: string;
  onDialog: (vault: AdminVault, dialog: VaultDialog) => void;
  onClose: () => void;
}

/** What a vault uses, its limits and its owners. Nothing that it contains. */
export function VaultPanel({ id, onDialog, onClose }: VaultPanelProps) {
  return (
    <RecordPanel kind="Vault" query={useQuery(vaultQuery(id))} titleOf={({ name }) => name} onClose={onClose}>
      {(vault) => <Details vault={vault} onDialog={(dialog) => onDialog(vault, dialog)} />}
    </RecordPanel>
  );
}

function Details({ vault, onDialog }: { vault: AdminVault; onDialog: (dialog: VaultDialog) => void }) {
  const { state, limits, usage, owners, members, suspended_date: suspended, suspended_reason: reason } = vault;
  return (
    <>
      <ActionButtons actions={useVaultActions(vault, onDialog)}>
        <Badge {...VAULT_LOOKS[state]} />
      </ActionButtons>
      {suspended !== undefined && (
        <p className="wrap-text text-sm">
          Suspended <Time value={suspended} />
          {vault.stops_runs && ', with its runs'}: <span dir="auto">{reason}</span>
        </p>
      )}
      <section>
        <h3 className="mb-1.5">Usage and limits</h3>
        <FactList>
          <Usage label="Active runs" used={usage.active_runs} limit={limits.active_runs} />
          <Fact label="Subjobs at once">
            {limits.dispatches === null ? NO_LIMIT : `at most ${formatCount(limits.dispatches)}`}
          </Fact>
          <Usage label="Storage" used={usage.stored_bytes} limit={limits.storage_bytes} format={formatBytes} />
          <Usage label="Rows of Live Tables" used={usage.live_rows} limit={limits.live_rows} />
          <Fact label="Execution units">
            {usage.execution_units === undefined ? UNKNOWN : `${formatCount(usage.execution_units)} this month (UTC)`}
          </Fact>
        </FactList>
      </section>
      <p className="text-xs text-muted">
        If the vault has no limit of its own, that of its plan or of the settings of the installation applies.
      </p>
      <FactList>
        <Fact label="Plan">{vault.plan}</Fact>
        <Fact label="Owners">{owners.join(', ')}</Fact>
        <Fact label="Members">
          <Link to="/installation/$section" params={{ section: 'users' }} search={{ vault: vault.id }} className="link">
            {countOf(members, 'user')}
          </Link>
        </Fact>
        <Fact label="Created">
          <Time value={vault.created_date} />
        </Fact>
        <Fact label="Id">
          <span className="font-mono text-xs">{vault.id}</span>
        </Fact>
      </FactList>
    </>
  );
}

const NO_LIMIT = 'no limit of its own';
const UNKNOWN = 'not known: its service does not respond';

interface UsageProps {
  label: string;
  used: number | undefined;
  limit: number | null;
  format?: (value: number) => string;
}

/** What is used of a limit of this vault. */
const Usage = ({ label, used, limit, format = formatCount }: UsageProps) => (
  <Fact label={label}>
    <span className="flex flex-wrap items-center gap-2">
      <span className="nums">
        {used === undefined ? UNKNOWN : format(used)}
        {limit !== null && ` of ${format(limit)}`}
      </span>
      {used !== undefined && limit !== null && <Meter label={label} used={used} limit={limit} />}
      {limit === null && <span className="text-xs text-muted">{NO_LIMIT}</span>}
    </span>
  </Fact>
);
