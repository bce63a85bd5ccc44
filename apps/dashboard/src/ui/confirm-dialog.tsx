import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from './button.js';
import { Dialog, DialogActions } from './dialog.js';
import { ErrorNote } from './error-note.js';
import { TextField } from './field.js';

interface ConfirmDialogProps {
  /** A question, such as "Delete the workflow “Hosts”?" */
  title: string;
  /** What is lost. */
  description: ReactNode;
  /** The verb on the button. */
  action: string;
  /** The user must type this name. For what cannot be undone. */
  typedName?: string;
  /** Whether something is lost; default true. */
  isDangerous?: boolean;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before something is destroyed. It closes after success, and shows the error otherwise. */
export function ConfirmDialog({
  title,
  description,
  action,
  typedName,
  isDangerous = true,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  const confirm = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const isBlocked = typedName !== undefined && typed !== typedName;
  return (
    <Dialog title={title} description={description} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBlocked && !confirm.isPending) confirm.mutate();
        }}
      >
        {typedName !== undefined && (
          <TextField label={`Type ${typedName} to confirm`} value={typed} onChange={setTyped} autoComplete="off" />
        )}
        {confirm.error && <ErrorNote error={confirm.error} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look={isDangerous ? 'danger' : 'primary'}
            disabled={isBlocked}
            isPending={confirm.isPending}
          >
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
