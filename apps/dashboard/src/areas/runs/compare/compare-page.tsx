import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { RunComparison } from '@millrace/client';
import { formatCount } from '../../../text/format-count.js';
import { buttonClass } from '../../../ui/button.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Icon } from '../../../ui/icon.js';
import { Page } from '../../../ui/page.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { type Tab, Tabs } from '../../../ui/tabs.js';
import { compareRoute } from '../routes.js';
import { comparisonQuery } from './compare-queries.js';
import type { CompareSearch, CompareTab } from './compare-search.js';
import { ComparedInputs } from './compared-inputs.js';
import { ComparedNodes } from './compared-nodes.js';
import { ComparedOutputs } from './compared-outputs.js';
import { ComparedRuns } from './compared-runs.js';
import { ComparedTables } from './compared-tables.js';

/** Two runs beside each other. Changes are those from the first to the second. */
export function ComparePage() {
  const { runId: a, otherId: b } = compareRoute.useParams();
  const { tab = 'summary', table } = compareRoute.useSearch();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(comparisonQuery(a, b));
  const go = (search: CompareSearch) =>
    void navigate({ to: '/runs/$runId/compare/$otherId', params: { runId: a, otherId: b }, search });
  return (
    <Page
      title={`Run #${a} and run #${b}`}
      breadcrumb={
        <>
          <Link to="/runs" className="hover:text-ink">
            Runs
          </Link>
          <Icon name="chevronRight" size={12} />
          Comparison
        </>
      }
      actions={
        <Link
          to="/runs/$runId/compare/$otherId"
          params={{ runId: b, otherId: a }}
          search={{ tab }}
          className={buttonClass()}
        >
          <Icon name="repeat" />
          Swap
        </Link>
      }
    >
      {error && !data && <ErrorNote error={error} onRetry={() => void refetch()} className="mx-6" />}
      {!data && !error && <Skeleton rows={8} className="px-6" />}
      {data && (
        <>
          <ComparedRuns comparison={data} />
          <Tabs
            label="Comparison"
            tabs={tabsOf(data)}
            value={tab}
            onChange={(next) => go(next === 'summary' ? {} : { tab: next })}
            className="mt-4 px-6 max-sm:px-4"
            panelClassName="px-6 pt-4 max-sm:px-4"
          >
            {tab === 'summary' && <ComparedInputs comparison={data} />}
            {tab === 'nodes' && <ComparedNodes a={a} b={b} />}
            {tab === 'outputs' && <ComparedOutputs a={a} b={b} counts={data.outputs} />}
            {tab === 'tables' && (
              <ComparedTables a={a} b={b} open={table} onOpen={(next) => go({ tab, ...(next && { table: next }) })} />
            )}
          </Tabs>
        </>
      )}
    </Page>
  );
}

function tabsOf({ nodes, outputs }: RunComparison): Tab<CompareTab>[] {
  return [
    { value: 'summary', label: 'Version and inputs' },
    { value: 'nodes', label: 'Steps', count: formatCount(nodes.both + nodes.only_in_a + nodes.only_in_b) },
    { value: 'outputs', label: 'Outputs', count: formatCount(outputs.changed + outputs.only_in_a + outputs.only_in_b) },
    { value: 'tables', label: 'Tables' },
  ];
}
