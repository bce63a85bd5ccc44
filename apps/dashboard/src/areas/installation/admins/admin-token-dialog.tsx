import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminToken } from '@millrace/client';
import { client } from '../../../api/client.js';
import { Copyable } from '../../../ui/copyable.js';
import { Field, SelectField, TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { NumberField } from '../../../ui/number-field.js';
import { useRefresh } from '../parts/area-queries.js';
import { SecretDialog } from '../parts/secret-dialog.js';

const SCOPES: readonly { value: AdminToken['scope']; label: string }[] = [
  { value: 'read', label: 'Only read' },
  { value: 'write', label: 'Read and change' },
];
const DEFAULT_DAYS = 30;
const MAX_DAYS = 90;

/** Creates an admin token, and shows it once. */
export function AdminTokenDialog({ onClose }: { onClose: () => void }) {
  const refresh = useRefresh();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<AdminToken['scope']>('read');
  const [days, setDays] = useState<number | undefined>(DEFAULT_DAYS);
  const create = useMutation({
    mutationFn: () => client.adminTokens.create({ name: name.trim(), scope, ...(days !== undefined && { days }) }),
    // The token is shown at once, and does not stay in the cache after the dialog.
    onSuccess: () => void refresh(),
    gcTime: 0,
  });
  if (create.data)
    return (
      <SecretDialog title={`Admin token “${create.data.name}”`} token={create.data.token} onClose={onClose}>
        <Field label="Use it with the command line">
          {() => <Copyable text="MILLRACE_TOKEN=… npx millrace admin check" label="Copy the command" />}
        </Field>
      </SecretDialog>
    );
  return (
    <FormDialog
      title="New admin token"
      description="Scripts use it for what these pages do. It ends with your role, and never grants or revokes administrators."
      action="Create"
      mutation={create}
      isIncomplete={name.trim() === '' || days === undefined}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} maxLength={255} dir="auto" required autoFocus />
      <SelectField label="Scope" value={scope} options={SCOPES} onChange={setScope} />
      <NumberField label="Days until it expires" value={days} min={1} max={MAX_DAYS} required onChange={setDays} />
    </FormDialog>
  );
}
