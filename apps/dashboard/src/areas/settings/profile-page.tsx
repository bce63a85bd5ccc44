import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '@millrace/client';
import { client } from '../../api/client.js';
import { meQuery } from '../../api/session.js';
import { useStore } from '../../store/create-store.js';
import { theme, type Theme } from '../../theme.js';
import { Button } from '../../ui/button.js';
import { ErrorNote } from '../../ui/error-note.js';
import { SelectField, TextField } from '../../ui/field.js';
import { notify } from '../../ui/toast.js';
import { Setting } from './setting.js';

const THEMES: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'As on this device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

export function ProfilePage() {
  const { data: me } = useQuery(meQuery);
  const chosen = useStore(theme);
  return (
    <>
      <Setting title="Profile">{me && <NameForm key={me.id} me={me} />}</Setting>
      <Setting title="Appearance" description="Stored in this browser.">
        <div className="max-w-60">
          <SelectField label="Theme" value={chosen} options={THEMES} onChange={(value) => theme.set(value)} />
        </div>
      </Setting>
    </>
  );
}

function NameForm({ me }: { me: User }) {
  const queryClient = useQueryClient();
  const [name, setName] = useState(me.name);
  const save = useMutation({
    mutationFn: () => client.users.updateMe({ name: name.trim() }),
    onSuccess: (user) => {
      queryClient.setQueryData(meQuery.queryKey, user);
      notify({ title: 'Your name is saved' });
    },
  });
  return (
    <form
      className="flex max-w-sm flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) save.mutate();
      }}
    >
      <TextField label="Name" value={name} onChange={setName} autoComplete="name" maxLength={255} dir="auto" required />
      <TextField label="Email" value={me.email} onChange={() => undefined} readOnly disabled />
      {save.error && <ErrorNote error={save.error} className="mt-0" />}
      <Button
        type="submit"
        look="primary"
        className="self-start"
        isPending={save.isPending}
        disabled={name.trim() === me.name}
      >
        Save
      </Button>
    </form>
  );
}
