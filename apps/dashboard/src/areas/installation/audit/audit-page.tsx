import { useQuery } from '@tanstack/react-query';
import type { AdminAuditEntry } from '@millrace/client';
import { readChoice } from '../../../routing/read-search.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { FilterSelect } from '../../../ui/filter-select.js';
import { Section } from '../../../ui/page.js';
import { SearchInput } from '../../../ui/search-input.js';
import { CELL } from '../../../ui/table.js';
import { Time } from '../../../ui/time.js';
import { PageBody } from '../parts/page-body.js';
import { NOTE, RecordRow } from '../parts/record-row.js';
import { FROM_MEDIUM, RecordTable, type Column } from '../parts/record-table.js';
import { useInstallationSearch } from '../parts/use-installation-search.js';
import { ACT_NAMES, actorOf, ACTS, targetOf } from './act-names.js';
import { EntryPanel } from './entry-panel.js';
import { entriesQuery, PAGE_SIZE } from './queries.js';

const COLUMNS: readonly Column[] = [
  { title: 'Act' },
  { title: 'By' },
  { title: 'Address', className: FROM_MEDIUM },
  { title: 'Time' },
];

/** What administrators did, newest first. */
export function AuditPage() {
  const { search, change, filter, filterText, open } = useInstallationSearch();
  const { q, page } = search;
  const action = readChoice(search.name, ACTS);
  const entries = useQuery(entriesQuery({ q, action, page }));
  const opened = entries.data?.results.find(({ id }) => id === search.open);
  return (
    <PageBody panel={opened && <EntryPanel entry={opened} onClose={() => open(undefined)} />}>
      <Section title="Audit log">
        <p className="mb-3 max-w-3xl text-sm text-muted">
          Every change that an administrator made. Requests that only read are not recorded, and nobody can change an
          entry. Changes inside a vault are in the audit log of the vault.
        </p>
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <SearchInput label="Search acts, emails and names" value={q ?? ''} onChange={filterText} className="w-64" />
          <FilterSelect
            label="Act"
            all="All acts"
            value={action}
            options={ACTS.map((value) => ({ value, label: ACT_NAMES[value] }))}
            onChange={(value) => filter({ name: value })}
          />
        </div>
        <RecordTable
          label="Acts of administrators"
          columns={COLUMNS}
          list={entries}
          pages={{ page, size: PAGE_SIZE, noun: 'act', onPage: (next) => change({ page: next }) }}
          empty={
            <EmptyState icon="search" title="No act found">
              Change the search or the filter.
            </EmptyState>
          }
        >
          {(entry) => <EntryRow key={entry.id} entry={entry} isOpen={entry.id === search.open} />}
        </RecordTable>
      </Section>
    </PageBody>
  );
}

const EntryRow = ({ entry, isOpen }: { entry: AdminAuditEntry; isOpen: boolean }) => (
  <RecordRow
    id={entry.id}
    name={ACT_NAMES[entry.action]}
    isOpen={isOpen}
    note={
      <span dir="auto" className={`${NOTE} text-muted`} title={targetOf(entry)}>
        {targetOf(entry)}
      </span>
    }
  >
    <td className={`${CELL} max-w-56 truncate text-muted`} title={actorOf(entry)}>
      {actorOf(entry)}
    </td>
    <td className={`${CELL} text-muted ${FROM_MEDIUM}`}>{entry.address}</td>
    <td className={`${CELL} text-muted`}>
      <Time value={entry.created_date} />
    </td>
  </RecordRow>
);
