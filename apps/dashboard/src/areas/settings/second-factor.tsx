import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MfaBeginResponse } from '@millrace/client';
import { client } from '../../api/client.js';
import { meQuery } from '../../api/session.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import { Copyable } from '../../ui/copyable.js';
import { Dialog, DialogActions } from '../../ui/dialog.js';
import { ErrorNote } from '../../ui/error-note.js';
import { TextField } from '../../ui/field.js';
import { Icon } from '../../ui/icon.js';
import { QrCode } from './qr-code.js';

export function SecondFactor({ isEnabled }: { isEnabled: boolean }) {
  const queryClient = useQueryClient();
  const [isRemoving, setRemoving] = useState(false);
  const begin = useMutation({ mutationFn: () => client.mfa.begin() });
  const refresh = () => queryClient.invalidateQueries(meQuery);
  if (isEnabled && !begin.data)
    return (
      <>
        <p className="mb-3 flex items-center gap-2 text-sm">
          <Icon name="circleCheck" className="text-succeeded" />
          Your account has a second factor.
        </p>
        <Button look="danger" onClick={() => setRemoving(true)}>
          Remove the second factor
        </Button>
        {isRemoving && (
          <ConfirmDialog
            title="Remove the second factor?"
            description="Your password alone will then be enough to sign in. The recovery codes become invalid."
            action="Remove"
            onConfirm={async () => {
              await client.mfa.remove();
              await refresh();
            }}
            onClose={() => setRemoving(false)}
          />
        )}
      </>
    );
  return (
    <>
      <Button icon="shield" isPending={begin.isPending} onClick={() => begin.mutate()}>
        Set up a second factor
      </Button>
      {begin.error && <ErrorNote error={begin.error} />}
      {begin.data && (
        <SetupDialog
          {...begin.data}
          onClose={() => {
            begin.reset();
            void refresh();
          }}
        />
      )}
    </>
  );
}

function SetupDialog({ secret, otpauth_url: url, onClose }: MfaBeginResponse & { onClose: () => void }) {
  const [code, setCode] = useState('');
  const confirm = useMutation({ mutationFn: () => client.mfa.confirm({ code: code.replaceAll(/\s/g, '') }) });
  if (confirm.data)
    return (
      <Dialog
        title="Store your recovery codes"
        description="Each is valid once, in place of a code from the app. They are shown only now."
        isDismissible={false}
        onClose={onClose}
      >
        <Copyable text={confirm.data.recovery_codes.join('\n')} label="Copy the codes" />
        <DialogActions>
          <Button look="primary" onClick={onClose}>
            I have stored them
          </Button>
        </DialogActions>
      </Dialog>
    );
  return (
    <Dialog title="Set up a second factor" description="Scan the code with your authenticator app." onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!confirm.isPending) confirm.mutate();
        }}
      >
        <QrCode text={url} label="QR code of the secret" />
        <div>
          <p className="mb-1 text-sm text-muted">Or enter this secret by hand:</p>
          <Copyable text={secret} label="Copy the secret" />
        </div>
        <TextField
          label="Code from the app"
          value={code}
          onChange={setCode}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          autoFocus
        />
        {confirm.error && <ErrorNote error={confirm.error} className="mt-0" />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={confirm.isPending}>
            Turn on
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
