import { useQuery } from '@tanstack/react-query';
import { client } from '../../../api/client.js';
import { formatRelative } from '../../../text/format-duration.js';
import { Select } from '../../../ui/field.js';

interface RunSelectProps {
  label: string;
  table: string;
  /** The chosen run; empty for the option of `none`. */
  run: string;
  /** Text of the option that names no run. */
  none?: string;
  /** A run that is not offered. */
  except?: string;
  onChange: (run: string) => void;
}

const MAX_LOADS = 200;

/** The runs that have loaded rows into the table, the latest first. */
export function RunSelect({ label, table, run, none, except, onChange }: RunSelectProps) {
  const loads = useQuery({
    queryKey: ['tables', 'loads', table, 'runs'],
    queryFn: async ({ signal }) =>
      await client.loads.list(table, { status: 'COMPLETED', ordering: '-id', page_size: MAX_LOADS }, { signal }),
  });
  const options = new Map<string, string>();
  if (none !== undefined) options.set('', none);
  if (run !== '') options.set(run, `Run ${run}`);
  for (const { run: id, created_date: created } of loads.data?.results ?? [])
    if (id !== undefined && id !== except)
      options.set(id, `Run ${id}, ${formatRelative(new Date(created), Date.now())}`);
  return (
    <Select
      aria-label={label}
      className="w-auto!"
      value={run}
      options={[...options].map(([value, text]) => ({ value, label: text }))}
      onChange={onChange}
    />
  );
}
