import { useQuery } from '@tanstack/react-query';
import { client } from '../../../api/client.js';
import { formatRelative } from '../../../text/format-duration.js';
import { Select } from '../../../ui/field.js';

interface RunSelectProps {
  table: string;
  run: string;
  onChange: (run: string) => void;
}

const MAX_LOADS = 200;

/** The runs that have loaded rows into the table, the latest first. */
export function RunSelect({ table, run, onChange }: RunSelectProps) {
  const loads = useQuery({
    queryKey: ['tables', 'loads', table, 'runs'],
    queryFn: async ({ signal }) =>
      await client.loads.list(table, { status: 'COMPLETED', ordering: '-id', page_size: MAX_LOADS }, { signal }),
  });
  const options = new Map([[run, `Run ${run}`]]);
  for (const { run: id, created_date: created } of loads.data?.results ?? [])
    if (id !== undefined) options.set(id, `Run ${id}, ${formatRelative(new Date(created), Date.now())}`);
  return (
    <Select
      aria-label="Run whose changes are shown"
      className="w-auto!"
      value={run}
      options={[...options].map(([value, label]) => ({ value, label }))}
      onChange={onChange}
    />
  );
}
