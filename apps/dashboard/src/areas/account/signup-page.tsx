import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { beginSession } from '../../api/session.js';
import { createSample } from '../../sample/create-sample.js';
import { Button } from '../../ui/button.js';
import { ErrorNote } from '../../ui/error-note.js';
import { TextField } from '../../ui/field.js';
import { AccountPage } from './account-page.js';
import { GoogleLink } from './google-link.js';
import { NewPasswordField } from './new-password-field.js';
import { useSignInMethods } from './sign-in-methods.js';

export function SignupPage() {
  const methods = useSignInMethods();
  if (methods?.signup === 'closed') return <SignupClosed />;
  return (
    <AccountPage
      title="Create an account"
      description="You get a vault of your own: a place for workflows, runs and tables."
    >
      <SignupForm />
      {methods?.google && <GoogleLink returnTo="/login" label="Continue with Google" />}
      <p className="mt-6 text-sm text-muted">
        You have an account?{' '}
        <Link to="/login" className="link">
          Sign in
        </Link>
      </p>
    </AccountPage>
  );
}

/** Puts the sample workflow into the first space of the new vault. If that fails, Home offers it. */
async function addSample(): Promise<void> {
  const { results } = await client.spaces.list({ page_size: 1 });
  if (results[0]) await createSample(client, results[0].id).catch(() => undefined);
}

function SignupForm() {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signup = useMutation({
    mutationFn: async () => {
      await beginSession(() => client.sessions.signup({ name: name.trim(), email: email.trim(), password }));
      await addSample();
    },
    onSuccess: () => navigate({ to: '/' }),
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!signup.isPending) signup.mutate();
      }}
    >
      <TextField label="Name" value={name} onChange={setName} autoComplete="name" maxLength={255} required autoFocus />
      <TextField label="Email" type="email" value={email} onChange={setEmail} autoComplete="username" required />
      <NewPasswordField value={password} onChange={setPassword} />
      {signup.error && <ErrorNote error={signup.error} className="mt-0" />}
      <Button type="submit" look="primary" isPending={signup.isPending}>
        Create the account
      </Button>
    </form>
  );
}

const SignupClosed = () => (
  <AccountPage title="Sign-up is closed" description="Ask an owner of a vault on this server for an invitation.">
    <Link to="/login" className="link text-sm">
      Sign in
    </Link>
  </AccountPage>
);
