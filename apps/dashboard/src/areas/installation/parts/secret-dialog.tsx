import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.js';
import { Copyable } from '../../../ui/copyable.js';
import { Dialog, DialogActions } from '../../../ui/dialog.js';
import { Field } from '../../../ui/field.js';

interface SecretDialogProps {
  title: string;
  token: string;
  onClose: () => void;
  /** How to use it. */
  children?: ReactNode;
}

/** A new token, which is shown only once. */
export const SecretDialog = ({ title, token, onClose, children }: SecretDialogProps) => (
  <Dialog
    title={title}
    description="The token is shown only now: store it in a safe place."
    isDismissible={false}
    width={560}
    onClose={onClose}
  >
    <div className="flex flex-col gap-4">
      <Field label="Token">{() => <Copyable text={token} label="Copy the token" />}</Field>
      {children}
    </div>
    <DialogActions>
      <Button look="primary" onClick={onClose}>
        I have stored it
      </Button>
    </DialogActions>
  </Dialog>
);
