import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { meQuery } from '../../api/session.js';
import { Button } from '../../ui/button.js';
import { ErrorNote } from '../../ui/error-note.js';
import { TextField } from '../../ui/field.js';
import { notify } from '../../ui/toast.js';
import { SecondFactor } from './second-factor.js';
import { Setting } from './setting.js';

export function SecurityPage() {
  const { data: me } = useQuery(meQuery);
  if (!me) return null;
  return (
    <>
      {me.is_google ? (
        <Setting
          title="Password"
          description={
            <>
              You sign in with Google.{' '}
              <Link to="/password-reset" className="link">
                Request a mail
              </Link>{' '}
              to set a password as well.
            </>
          }
        >
          {null}
        </Setting>
      ) : (
        <Setting title="Password" description="Changing it ends all your other sessions.">
          <PasswordForm email={me.email} />
        </Setting>
      )}
      <Setting
        title="Second factor"
        description="A code from an authenticator app at each sign-in, besides the password."
      >
        <SecondFactor isEnabled={me.mfa_enabled} />
      </Setting>
    </>
  );
}

function PasswordForm({ email }: { email: string }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () => client.passwords.change({ current_password: current, password: next }),
    onSuccess: () => {
      setCurrent('');
      setNext('');
      notify({ title: 'Your password is changed', description: 'All your other sessions have ended.' });
    },
  });
  return (
    <form
      className="flex max-w-sm flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!change.isPending) change.mutate();
      }}
    >
      {/* For the password manager of the browser. */}
      <input type="hidden" name="email" value={email} autoComplete="username" />
      <TextField
        label="Current password"
        type="password"
        value={current}
        onChange={setCurrent}
        autoComplete="current-password"
        required
      />
      <TextField
        label="New password"
        type="password"
        hint="10 to 128 characters."
        value={next}
        onChange={setNext}
        autoComplete="new-password"
        minLength={10}
        maxLength={128}
        required
      />
      {change.error && <ErrorNote error={change.error} className="mt-0" />}
      <Button type="submit" look="primary" className="self-start" isPending={change.isPending}>
        Change the password
      </Button>
    </form>
  );
}
