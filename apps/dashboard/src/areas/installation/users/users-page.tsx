import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminUser } from '@millrace/client';
import { readChoice } from '../../../routing/read-search.js';
import { Button } from '../../../ui/button.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { FilterSelect } from '../../../ui/filter-select.js';
import { Section } from '../../../ui/page.js';
import { SearchInput } from '../../../ui/search-input.js';
import { PageBody } from '../parts/page-body.js';
import { RecordTable } from '../parts/record-table.js';
import { useInstallationSearch } from '../parts/use-installation-search.js';
import { vaultQuery } from '../vaults/queries.js';
import { PAGE_SIZE, usersQuery } from './queries.js';
import { SuspendUserDialog } from './suspend-user-dialog.js';
import { USER_LOOKS } from './user-looks.js';
import { UserPanel } from './user-panel.js';
import { USER_COLUMNS, UserRow } from './user-row.js';

const STATES = Object.keys(USER_LOOKS) as AdminUser['state'][];

/** The users of all vaults. */
export function UsersPage() {
  const { search, change, filter, filterText, open } = useInstallationSearch();
  const { q, vault, page } = search;
  const state = readChoice(search.state, STATES);
  const users = useQuery(usersQuery({ q, state, vault, page }));
  const [suspending, setSuspending] = useState<AdminUser>();
  return (
    <PageBody
      panel={
        search.open !== undefined && (
          <UserPanel key={search.open} id={search.open} onSuspend={setSuspending} onClose={() => open(undefined)} />
        )
      }
    >
      <Section title="Users">
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <SearchInput label="Search emails and names" value={q ?? ''} onChange={filterText} className="w-64" />
          <FilterSelect
            label="State"
            all="All states"
            value={state}
            options={STATES.map((value) => ({ value, label: USER_LOOKS[value].label }))}
            onChange={(value) => filter({ state: value })}
          />
          {vault !== undefined && <VaultFilter id={vault} onRemove={() => filter({ vault: undefined })} />}
        </div>
        <RecordTable
          label="Users"
          columns={USER_COLUMNS}
          list={users}
          pages={{ page, size: PAGE_SIZE, noun: 'user', onPage: (next) => change({ page: next }) }}
          empty={
            <EmptyState icon="search" title="No user found">
              Change the search or the filters.
            </EmptyState>
          }
        >
          {(user) => (
            <UserRow key={user.id} user={user} isOpen={user.id === search.open} onSuspend={() => setSuspending(user)} />
          )}
        </RecordTable>
      </Section>
      {suspending && <SuspendUserDialog user={suspending} onClose={() => setSuspending(undefined)} />}
    </PageBody>
  );
}

/** The vault whose users are listed, with a button that lists all again. */
function VaultFilter({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { data } = useQuery(vaultQuery(id));
  return (
    <Button icon="x" onClick={onRemove}>
      <span dir="auto" className="max-w-60 truncate">
        Only of the vault {data?.name ?? id}
      </span>
    </Button>
  );
}
