import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Load, Run } from '@millrace/client';
import { client } from '../../../../api/client.js';
import { formatCount } from '../../../../text/format-count.js';
import { Icon } from '../../../../ui/icon.js';
import { Card } from '../../../../ui/page.js';
import { PanelSection } from '../panel-section.js';
import { loadsQuery } from './loads-query.js';

/** The Live Tables that the run has loaded, with what changed in each. */
export function RunLoads({ run }: { run: Run }) {
  const { data: loads = [] } = useQuery(loadsQuery(run.id, run.finished));
  if (loads.length === 0) return null;
  return (
    <PanelSection title="Tables">
      <Card className="divide-y divide-line">
        {loads.map((load) => (
          <LoadRow key={load.id} load={load} />
        ))}
      </Card>
    </PanelSection>
  );
}

function LoadRow({ load }: { load: Load }) {
  const { data: table } = useQuery({
    queryKey: ['runs', 'table', load.dataset],
    queryFn: ({ signal }) => client.datasets.get(load.dataset, { signal }),
    staleTime: 60_000,
  });
  const counts = [
    { name: 'new', count: load.rows_new },
    { name: 'changed', count: load.rows_changed },
    { name: 'gone', count: load.rows_gone },
    { name: 'rejected', count: load.rows_rejected },
  ].filter(({ count }) => count > 0);
  return (
    <div className="flex min-h-9 items-center gap-2.5 px-3 py-1.5 text-sm">
      <Icon name="table" className="text-muted" />
      <Link to="/tables/$tableId" params={{ tableId: load.dataset }} className="link min-w-0 truncate" dir="auto">
        {table?.name ?? 'Live Table'}
      </Link>
      <span className="nums ml-auto text-xs whitespace-nowrap text-muted">
        {load.status === 'COMPLETED' &&
          (counts.map(({ name, count }) => `${formatCount(count)} ${name}`).join(' · ') ||
            `${formatCount(load.rows_unchanged)} unchanged`)}
        {load.status === 'FAILED' && <span className="text-failed">{load.error ?? 'The load failed'}</span>}
        {load.status !== 'COMPLETED' && load.status !== 'FAILED' && 'loading'}
      </span>
    </div>
  );
}
