import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { TextAreaField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';

interface SuspendDialogProps {
  title: string;
  /** What the suspension does. */
  description: ReactNode;
  onSuspend: (reason: string) => Promise<unknown>;
  onClose: () => void;
  /** More fields. */
  children?: ReactNode;
}

/** Suspends a user or a vault, with a reason for the audit log. */
export function SuspendDialog({ title, description, onSuspend, onClose, children }: SuspendDialogProps) {
  const [reason, setReason] = useState('');
  const suspend = useMutation({ mutationFn: () => onSuspend(reason.trim()), onSuccess: onClose });
  return (
    <FormDialog
      title={title}
      description={description}
      action="Suspend"
      mutation={suspend}
      isIncomplete={reason.trim() === ''}
      onClose={onClose}
    >
      <TextAreaField
        label="Reason"
        hint="For the audit log. Other administrators see it too."
        value={reason}
        onChange={setReason}
        maxLength={500}
        dir="auto"
        rows={2}
        required
        autoFocus
      />
      {children}
    </FormDialog>
  );
}
