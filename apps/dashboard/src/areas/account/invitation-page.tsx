import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { beginSession } from '../../api/session.js';
import { Button } from '../../ui/button.js';
import { ErrorNote } from '../../ui/error-note.js';
import { TextField } from '../../ui/field.js';
import { Skeleton } from '../../ui/skeleton.js';
import { AccountPage } from './account-page.js';
import { GoogleLink } from './google-link.js';
import { NewPasswordField } from './new-password-field.js';
import { invitationRoute } from './routes.js';
import { useSignInMethods } from './sign-in-methods.js';
import { useTicket } from './use-ticket.js';

/** Joins a vault by the link of an invitation, with a password or with Google. */
export function InvitationPage() {
  const { token = '', ticket } = invitationRoute.useSearch();
  const navigate = useNavigate();
  const goHome = () => void navigate({ to: '/' });
  const redeeming = useTicket(ticket, goHome, () => void navigate({ to: '/login', replace: true }));
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => client.invitations.describe({ token }, { signal }),
    enabled: ticket === undefined,
  });
  if (ticket !== undefined)
    return (
      <AccountPage title="Signing in…">{redeeming.error ? <ErrorNote error={redeeming.error} /> : null}</AccountPage>
    );
  if (invitation.error)
    return (
      <AccountPage title="Invitation" description="Ask the person who invited you for a new invitation.">
        <ErrorNote error={invitation.error} className="mt-0" />
        <Link to="/login" className="link mt-4 inline-block text-sm">
          Go to the sign-in page
        </Link>
      </AccountPage>
    );
  if (!invitation.data) return <Skeleton />;
  return <JoinForm {...invitation.data} token={token} onDone={goHome} />;
}

function JoinForm({
  vault,
  email,
  token,
  onDone,
}: {
  vault: string;
  email: string;
  token: string;
  onDone: () => void;
}) {
  const methods = useSignInMethods();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const join = useMutation({
    mutationFn: () => beginSession(() => client.invitations.accept({ token, name: name.trim(), password })),
    onSuccess: onDone,
  });
  return (
    <AccountPage title={`Join ${vault}`} description={`You are invited as ${email}. Choose a name and a password.`}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!join.isPending) join.mutate();
        }}
      >
        {/* For the password manager of the browser. */}
        <input type="hidden" name="email" value={email} autoComplete="username" />
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          autoComplete="name"
          maxLength={255}
          required
          autoFocus
        />
        <NewPasswordField value={password} onChange={setPassword} />
        {join.error && <ErrorNote error={join.error} className="mt-0" />}
        <Button type="submit" look="primary" isPending={join.isPending}>
          Join
        </Button>
      </form>
      {methods?.google && (
        <GoogleLink returnTo={`/invitations/accept?${new URLSearchParams({ token })}`} label="Join with Google" />
      )}
    </AccountPage>
  );
}
