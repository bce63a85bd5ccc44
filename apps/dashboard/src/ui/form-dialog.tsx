import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from './button.js';
import { Dialog, DialogActions } from './dialog.js';
import { ErrorNote } from './error-note.js';

interface FormDialogProps {
  title: string;
  description?: ReactNode;
  /** The verb on the button. */
  action: string;
  mutation: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'error'>;
  isIncomplete?: boolean;
  width?: number;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog with a form that is submitted once, and stays open with the error if that fails. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, action, mutation, isIncomplete = false, width, onClose, children } = props;
  // A click beside the dialog must not lose what the user has written.
  const [isChanged, setChanged] = useState(false);
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The form may be longer than the window.
    if (mutation.error) note.current?.scrollIntoView({ block: 'nearest' });
  }, [mutation.error]);
  return (
    <Dialog
      title={title}
      description={description}
      onClose={onClose}
      closesOutside={!isChanged}
      {...(width !== undefined && { width })}
    >
      <form
        className="flex flex-col gap-4"
        onChange={() => setChanged(true)}
        onSubmit={(event) => {
          event.preventDefault();
          if (!mutation.isPending) mutation.mutate();
        }}
      >
        {children}
        <div ref={note} className="empty:hidden">
          {mutation.error && <ErrorNote error={mutation.error} className="mt-0" />}
        </div>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={mutation.isPending} disabled={isIncomplete}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
