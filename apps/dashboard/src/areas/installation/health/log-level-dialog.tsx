import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { LogLevelSetBody } from '@millrace/client';
import { SERVICES, type ServiceName } from '@millrace/contracts/kit/service-name';
import { client } from '../../../api/client.js';
import { countOf } from '../../../text/format-count.js';
import { SelectField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { NumberField } from '../../../ui/number-field.js';
import { notify } from '../../../ui/toast.js';
import { useRefresh } from '../parts/area-queries.js';

const LEVELS = ['error', 'warn', 'info', 'debug', 'trace'] as const satisfies LogLevelSetBody['level'][];
const DEFAULT_MINUTES = 30;
const MAX_MINUTES = 1_440;

const toOptions = <T extends string>(values: readonly T[]) => values.map((value) => ({ value, label: value }));

interface LogLevelDialogProps {
  /** The service to begin with. */
  service: ServiceName;
  onClose: () => void;
}

/** Changes the log level of all copies of a service for some minutes. */
export function LogLevelDialog({ service: first, onClose }: LogLevelDialogProps) {
  const refresh = useRefresh();
  const [service, setService] = useState(first);
  const [level, setLevel] = useState<LogLevelSetBody['level']>('debug');
  const [minutes, setMinutes] = useState<number | undefined>(DEFAULT_MINUTES);
  const change = useMutation({
    mutationFn: () => client.logLevel.set({ service, level, ...(minutes !== undefined && { minutes }) }),
    onSuccess: async () => {
      await refresh();
      const duration = minutes === undefined ? '' : ` for ${countOf(minutes, 'minute')}`;
      notify({ title: `All copies of ${service} log at ${level}${duration}` });
      onClose();
    },
  });
  return (
    <FormDialog
      title="Change a log level"
      description="All running copies of the service log at this level, then again at their LOG_LEVEL. A restart also ends it."
      action="Change"
      mutation={change}
      isIncomplete={minutes === undefined}
      onClose={onClose}
    >
      <SelectField label="Service" value={service} options={toOptions(SERVICES)} onChange={setService} />
      <SelectField label="Level" value={level} options={toOptions(LEVELS)} onChange={setLevel} />
      <NumberField label="Minutes" value={minutes} min={1} max={MAX_MINUTES} required onChange={setMinutes} />
    </FormDialog>
  );
}
