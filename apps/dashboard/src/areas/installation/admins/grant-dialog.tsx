import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../api/client.js';
import { TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { notify } from '../../../ui/toast.js';
import { useRefresh } from '../parts/area-queries.js';

/** Makes a user an administrator. */
export function GrantDialog({ onClose }: { onClose: () => void }) {
  const refresh = useRefresh();
  const [email, setEmail] = useState('');
  const grant = useMutation({
    mutationFn: () => client.admins.grant({ email: email.trim() }),
    onSuccess: async (admin) => {
      await refresh();
      notify({ title: `${admin.email} is an administrator` });
      onClose();
    },
  });
  return (
    <FormDialog
      title="New administrator"
      description="An administrator sees all users and vaults, and may suspend them. The role gives nothing inside a vault."
      action="Grant the role"
      mutation={grant}
      isIncomplete={email.trim() === ''}
      onClose={onClose}
    >
      <TextField
        label="Email"
        type="email"
        hint="Of an account that exists already."
        value={email}
        onChange={setEmail}
        autoComplete="off"
        required
        autoFocus
      />
    </FormDialog>
  );
}
