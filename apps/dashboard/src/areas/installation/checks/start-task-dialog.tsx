import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminTask, AdminTaskPart } from '@millrace/client';
import { splitList } from '@millrace/contracts/runs/labels-text';
import { client } from '../../../api/client.js';
import { TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { useRefresh } from '../parts/area-queries.js';
import { ChoiceBoxes } from '../parts/choice-boxes.js';

const SERVICES = [
  'auth',
  'workflows',
  'runs',
  'datasets',
  'billing',
  'notifications',
] as const satisfies AdminTaskPart['service'][];

const WORDS = {
  check: {
    title: 'Check the stored data',
    description:
      'Each service checks its own records in the background. A check changes nothing and may run at any time.',
    action: 'Start the check',
  },
  reindex: {
    title: 'Rebuild indexes',
    description:
      'Each service rebuilds its indexes one after the other and updates the statistics of their tables. Neither blocks reads or writes. It needs free space for a copy of the largest index.',
    action: 'Rebuild',
  },
} as const;

interface StartTaskDialogProps {
  kind: AdminTask['kind'];
  onStarted: (task: string) => void;
  onClose: () => void;
}

/** Starts a check or a reindex of some services. */
export function StartTaskDialog({ kind, onStarted, onClose }: StartTaskDialogProps) {
  const refresh = useRefresh();
  const [services, setServices] = useState<AdminTaskPart['service'][]>([...SERVICES]);
  const [indexText, setIndexText] = useState('');
  const indexes = splitList(indexText);
  const start = useMutation({
    mutationFn: () =>
      kind === 'check'
        ? client.adminTasks.check({ services })
        : client.adminTasks.reindex({ services, ...(indexes.length > 0 && { indexes }) }),
    onSuccess: async ({ id }) => {
      await refresh();
      onStarted(id);
    },
  });
  const { title, description, action } = WORDS[kind];
  return (
    <FormDialog
      title={title}
      description={description}
      action={action}
      mutation={start}
      isIncomplete={services.length === 0}
      onClose={onClose}
    >
      <ChoiceBoxes label="Services" choices={SERVICES} chosen={services} onChange={setServices} />
      {kind === 'reindex' && (
        <TextField
          label="Only these indexes"
          hint="Names with their schema, such as runs.task_pkey, with commas between them. Without any, all are rebuilt."
          value={indexText}
          onChange={setIndexText}
          autoComplete="off"
        />
      )}
    </FormDialog>
  );
}
