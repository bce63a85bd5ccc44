import { useQuery } from '@tanstack/react-query';
import type { Worker } from '@millrace/client';
import { readChoice } from '../../../routing/read-search.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { FilterSelect } from '../../../ui/filter-select.js';
import { Section } from '../../../ui/page.js';
import { SearchInput } from '../../../ui/search-input.js';
import { PageBody } from '../parts/page-body.js';
import { RecordTable } from '../parts/record-table.js';
import { useInstallationSearch } from '../parts/use-installation-search.js';
import { filterWorkers } from './filter-workers.js';
import { FleetTable } from './fleet-table.js';
import { fleetsQuery, workersQuery } from './queries.js';
import { WORKER_LOOKS } from './worker-looks.js';
import { WorkerPanel } from './worker-panel.js';
import { WORKER_COLUMNS, WorkerRow } from './worker-row.js';

const STATES = Object.keys(WORKER_LOOKS) as Worker['state'][];

/** The fleets with the work that waits for them, and the workers with what they run. */
export function WorkersPage() {
  const { search, filter, filterText, open } = useInstallationSearch();
  const workers = useQuery(workersQuery);
  const fleets = useQuery(fleetsQuery);
  const state = readChoice(search.state, STATES);
  const matching = filterWorkers(workers.data?.results ?? [], { q: search.q, fleet: search.fleet, state });
  const opened = workers.data?.results.find(({ id }) => id === search.open);
  const names = new Set([
    ...(fleets.data?.results ?? []).map(({ name }) => name),
    ...(search.fleet === undefined ? [] : [search.fleet]),
  ]);
  return (
    <PageBody panel={opened && <WorkerPanel worker={opened} onClose={() => open(undefined)} />}>
      <Section title="Fleets">
        <FleetTable list={fleets} />
      </Section>
      <Section title="Workers" className="mt-4">
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <SearchInput label="Search workers" value={search.q ?? ''} onChange={filterText} className="w-64" />
          <FilterSelect
            label="Fleet"
            all="All fleets"
            value={search.fleet}
            options={[...names].map((value) => ({ value, label: value }))}
            onChange={(value) => filter({ fleet: value })}
          />
          <FilterSelect
            label="State"
            all="All states"
            value={state}
            options={STATES.map((value) => ({ value, label: WORKER_LOOKS[value].label }))}
            onChange={(value) => filter({ state: value })}
          />
        </div>
        <RecordTable
          label="Workers"
          columns={WORKER_COLUMNS}
          list={{ ...workers, data: workers.data && { results: matching } }}
          empty={workers.data?.results.length === 0 ? <NoWorkers /> : <NothingFound />}
        >
          {(worker) => <WorkerRow key={worker.id} worker={worker} isOpen={worker.id === search.open} />}
        </RecordTable>
      </Section>
    </PageBody>
  );
}

const NoWorkers = () => (
  <EmptyState icon="cpu" title="No worker is connected">
    Runs wait until one is. Start a worker on this machine, or let another machine join.
  </EmptyState>
);

const NothingFound = () => (
  <EmptyState icon="search" title="No worker found">
    Change the search or the filters.
  </EmptyState>
);
