import { useState } from 'react';
import type { AdminVault } from '@millrace/client';
import { client } from '../../../api/client.js';
import { Checkbox } from '../../../ui/field.js';
import { notify } from '../../../ui/toast.js';
import { useRefresh } from '../parts/area-queries.js';
import { SuspendDialog } from '../parts/suspend-dialog.js';

export function SuspendVaultDialog({ vault, onClose }: { vault: AdminVault; onClose: () => void }) {
  const refresh = useRefresh();
  const [stopsRuns, setStopsRuns] = useState(false);
  return (
    <SuspendDialog
      title={`Suspend the vault “${vault.name}”?`}
      description="It starts no runs, retries and sandboxes, its schedules skip their times, and its hooks are refused. Its users can still sign in, read, edit and export everything."
      onSuspend={async (reason) => {
        await client.adminVaults.suspend(vault.id, { reason, stop_runs: stopsRuns });
        notify({ title: `${vault.name} is suspended` });
        await refresh();
      }}
      onClose={onClose}
    >
      <Checkbox label="Also stop runs and sandboxes that are under way" checked={stopsRuns} onChange={setStopsRuns} />
    </SuspendDialog>
  );
}
