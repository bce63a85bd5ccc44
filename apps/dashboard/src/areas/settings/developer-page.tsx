import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiUrl, client } from '../../api/client.js';
import { meQuery } from '../../api/session.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import { Copyable } from '../../ui/copyable.js';
import { ErrorNote } from '../../ui/error-note.js';
import { Setting } from './setting.js';

/** The API token and how to use it. */
export function DeveloperPage() {
  return (
    <>
      <Setting
        title="API token"
        description="Scripts, the npm client and CI use it in place of a sign-in. It has all your permissions and no end, so treat it like a password."
      >
        <ApiToken />
      </Setting>
      <Setting title="Command line" description="Signs in through this browser, without a token.">
        <Copyable text={`npx millrace login --url ${location.origin}`} />
      </Setting>
      <Setting
        title="REST API"
        description={
          <>
            Everything that this dashboard does is an operation of the API.{' '}
            <a className="link" href={apiUrl('/docs')}>
              Read and try it
            </a>
            , or download its{' '}
            <a className="link" href={apiUrl('/openapi.json')}>
              OpenAPI description
            </a>
            .
          </>
        }
      >
        <Copyable text={`curl -H "Authorization: Token $MILLRACE_TOKEN" ${location.origin}${apiUrl('/users/me')}`} />
      </Setting>
    </>
  );
}

function ApiToken() {
  const queryClient = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const [isConfirming, setConfirming] = useState(false);
  const regenerate = useMutation({
    mutationFn: () => client.users.regenerateToken(),
    onSuccess: () => queryClient.invalidateQueries(meQuery),
  });
  const hasToken = me?.token_prefix !== undefined;
  return (
    <>
      {regenerate.data ? (
        <div role="status" className="mb-4 flex flex-col gap-2">
          <p className="text-sm">This is your new token. It is shown only now: store it in a safe place.</p>
          <Copyable text={regenerate.data.token} label="Copy the token" />
        </div>
      ) : (
        <p className="mb-4 text-sm">
          {hasToken ? (
            <>
              Your token begins with <code className="font-mono">{me.token_prefix}</code>.
            </>
          ) : (
            'You have no token.'
          )}
        </p>
      )}
      {regenerate.error && <ErrorNote error={regenerate.error} className="mb-4" />}
      <Button
        icon="key"
        isPending={regenerate.isPending}
        onClick={() => (hasToken ? setConfirming(true) : regenerate.mutate())}
      >
        {hasToken ? 'Create a new token' : 'Create a token'}
      </Button>
      {isConfirming && (
        <ConfirmDialog
          title="Create a new token?"
          description="The present token becomes invalid at once, also in scripts and CI jobs that use it."
          action="Create a new token"
          onConfirm={() => regenerate.mutateAsync()}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}
