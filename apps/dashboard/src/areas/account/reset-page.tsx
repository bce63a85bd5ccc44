import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { Button } from '../../ui/button.js';
import { ErrorNote } from '../../ui/error-note.js';
import { TextField } from '../../ui/field.js';
import { AccountPage } from './account-page.js';
import { NewPasswordField } from './new-password-field.js';
import { resetRoute } from './routes.js';

/** Requests the mail with a link; with the token of that link, sets a new password. */
export function ResetPage() {
  const { token } = resetRoute.useSearch();
  return token === undefined ? <RequestReset /> : <ChoosePassword token={token} />;
}

function RequestReset() {
  const [email, setEmail] = useState('');
  const request = useMutation({ mutationFn: () => client.passwords.requestReset({ email: email.trim() }) });
  if (request.isSuccess)
    return (
      <AccountPage
        title="Check your mail"
        description="If an account with this address exists, we have sent a link to it. The link is valid for one hour."
      >
        <BackToLogin />
      </AccountPage>
    );
  return (
    <AccountPage title="Forgot your password?" description="We send you a link to choose a new one.">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!request.isPending) request.mutate();
        }}
      >
        <TextField
          label="Email"
          type="email"
          value={email}
          onChange={setEmail}
          autoComplete="username"
          required
          autoFocus
        />
        {request.error && <ErrorNote error={request.error} className="mt-0" />}
        <Button type="submit" look="primary" isPending={request.isPending}>
          Send the link
        </Button>
        <BackToLogin />
      </form>
    </AccountPage>
  );
}

function ChoosePassword({ token }: { token: string }) {
  const [password, setPassword] = useState('');
  const confirm = useMutation({ mutationFn: () => client.passwords.confirmReset({ token, password }) });
  if (confirm.isSuccess)
    return (
      <AccountPage title="Your password is changed" description="All your sessions have ended.">
        <BackToLogin />
      </AccountPage>
    );
  return (
    <AccountPage title="Choose a new password" description="All your sessions will end.">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!confirm.isPending) confirm.mutate();
        }}
      >
        <NewPasswordField label="New password" value={password} onChange={setPassword} />
        {confirm.error && <ErrorNote error={confirm.error} className="mt-0" />}
        <Button type="submit" look="primary" isPending={confirm.isPending}>
          Change the password
        </Button>
        <Link to="/password-reset" search={{}} className="link text-sm">
          Request a new link
        </Link>
      </form>
    </AccountPage>
  );
}

const BackToLogin = () => (
  <Link to="/login" className="link text-sm">
    Go to the sign-in page
  </Link>
);
