import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminVault, AdminVaultLimits } from '@millrace/client';
import { client } from '../../../api/client.js';
import { TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { NumberField } from '../../../ui/number-field.js';
import { notify } from '../../../ui/toast.js';
import { useRefresh } from '../parts/area-queries.js';
import { parseBytes, writeBytes } from './parse-bytes.js';

const MAX_COUNT = 1_000_000;

interface LimitsDialogProps {
  vault: AdminVault;
  onClose: () => void;
}

/** Replaces the limits of a vault. An empty field means that the plan or the setting of the installation applies. */
export function LimitsDialog({ vault, onClose }: LimitsDialogProps) {
  const refresh = useRefresh();
  const [limits, setLimits] = useState<AdminVaultLimits>(vault.limits);
  const [storage, setStorage] = useState(limits.storage_bytes === null ? '' : writeBytes(limits.storage_bytes));
  const bytes = storage.trim() === '' ? null : parseBytes(storage);
  const setCount = (field: keyof AdminVaultLimits) => (count: number | undefined) =>
    setLimits((current) => ({ ...current, [field]: count ?? null }));
  const save = useMutation({
    mutationFn: () => client.adminVaults.setLimits(vault.id, { ...limits, storage_bytes: bytes ?? null }),
    onSuccess: async () => {
      await refresh();
      notify({ title: `The limits of ${vault.name} are saved`, description: 'They apply within seconds.' });
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Limits of “${vault.name}”`}
      description="They take precedence over the plan and the settings. A lower limit deletes nothing: it refuses what comes next. Without a value, the plan or the setting applies."
      action="Save"
      mutation={save}
      isIncomplete={bytes === undefined}
      onClose={onClose}
    >
      <NumberField
        label="Runs that have not ended"
        hint="Instead of the plan, or VAULT_MAX_ACTIVE_RUNS"
        value={limits.active_runs}
        min={0}
        max={MAX_COUNT}
        onChange={setCount('active_runs')}
      />
      <NumberField
        label="Subjobs that run at once"
        hint="Instead of the plan, or VAULT_MAX_DISPATCHES"
        value={limits.dispatches}
        min={0}
        max={MAX_COUNT}
        onChange={setCount('dispatches')}
      />
      <TextField
        label="Storage"
        hint="Files, outputs and logs, such as 50 GB, instead of STORAGE_QUOTA"
        error={bytes === undefined ? 'A size such as 500 MB or 50 GB.' : undefined}
        value={storage}
        onChange={setStorage}
        autoComplete="off"
      />
      <NumberField
        label="Rows of Live Tables"
        hint="Instead of LIVE_ROWS_LIMIT"
        value={limits.live_rows}
        min={0}
        max={Number.MAX_SAFE_INTEGER}
        onChange={setCount('live_rows')}
      />
    </FormDialog>
  );
}
