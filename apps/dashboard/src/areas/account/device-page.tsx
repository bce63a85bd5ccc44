import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { meQuery } from '../../api/session.js';
import { Button } from '../../ui/button.js';
import { ErrorNote } from '../../ui/error-note.js';
import { TextField } from '../../ui/field.js';
import { Card, Page } from '../../ui/page.js';
import { Time } from '../../ui/time.js';
import { deviceRoute } from './device-route.js';

/** Approves a command line that waits for a sign-in (RFC 8628, 3.3). */
export function DevicePage() {
  const { user_code: code = '' } = deviceRoute.useSearch();
  return (
    <Page title="Sign in on another device">
      <Card className="mx-6 max-w-md p-5 max-sm:mx-4">
        {code === '' ? <CodeForm /> : <Decision key={code} code={code} />}
      </Card>
    </Page>
  );
}

function CodeForm() {
  const navigate = useNavigate();
  const [code, setCode] = useState('');
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void navigate({ to: '/device', search: { user_code: code.trim() } });
      }}
    >
      <TextField
        label="Code"
        hint="The command millrace login shows it."
        value={code}
        onChange={setCode}
        autoComplete="off"
        className="font-mono uppercase"
        required
        autoFocus
      />
      <Button type="submit" look="primary">
        Continue
      </Button>
    </form>
  );
}

function Decision({ code }: { code: string }) {
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery);
  const device = useQuery({
    queryKey: ['device', code],
    queryFn: ({ signal }) => client.devices.describe({ user_code: code }, { signal }),
  });
  const decide = useMutation({
    mutationFn: (approve: boolean) => client.devices.approve({ user_code: code, approve }),
  });
  if (decide.data)
    return (
      <p role="status">
        {decide.data.status === 'approved'
          ? 'The device is signed in. You can close this page.'
          : 'The sign-in was denied. You can close this page.'}
      </p>
    );
  if (device.error)
    return (
      <>
        <ErrorNote error={device.error} className="mt-0" />
        <Button className="mt-4" onClick={() => void navigate({ to: '/device', search: {} })}>
          Enter another code
        </Button>
      </>
    );
  if (!device.data) return <p role="status">Looking up the code…</p>;
  const { client_id: program, address, agent, created_date: created } = device.data;
  return (
    <>
      <p className="wrap-text text-sm">
        A device wants to sign in as <strong>{me?.email}</strong>. Approve it only if you have started this sign-in
        yourself, and the code is the same.
      </p>
      <dl className="wrap-text mt-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
        <dt className="text-muted">Code</dt>
        <dd className="font-mono text-lg">{code}</dd>
        <dt className="text-muted">Program</dt>
        <dd>{program === 'svc-cli' ? 'Command line' : program}</dd>
        {address !== undefined && (
          <>
            <dt className="text-muted">Address</dt>
            <dd>{address}</dd>
          </>
        )}
        {agent !== undefined && (
          <>
            <dt className="text-muted">Agent</dt>
            <dd>{agent}</dd>
          </>
        )}
        <dt className="text-muted">Requested</dt>
        <dd>
          <Time value={created} />
        </dd>
      </dl>
      {decide.error && <ErrorNote error={decide.error} />}
      <div className="mt-5 flex gap-2">
        <Button look="primary" isPending={decide.isPending} onClick={() => decide.mutate(true)}>
          Approve
        </Button>
        <Button look="danger" onClick={() => decide.mutate(false)} disabled={decide.isPending}>
          Deny
        </Button>
      </div>
    </>
  );
}
