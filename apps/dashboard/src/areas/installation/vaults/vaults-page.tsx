import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AdminVault } from '@millrace/client';
import { readChoice } from '../../../routing/read-search.js';
import { buttonClass } from '../../../ui/button.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { FilterSelect } from '../../../ui/filter-select.js';
import { Section } from '../../../ui/page.js';
import { SearchInput } from '../../../ui/search-input.js';
import { PageBody } from '../parts/page-body.js';
import { RecordTable } from '../parts/record-table.js';
import { useInstallationSearch } from '../parts/use-installation-search.js';
import { LimitsDialog } from './limits-dialog.js';
import { PAGE_SIZE, vaultsQuery } from './queries.js';
import { SuspendVaultDialog } from './suspend-vault-dialog.js';
import type { VaultDialog } from './use-vault-actions.js';
import { VAULT_LOOKS } from './vault-looks.js';
import { VaultPanel } from './vault-panel.js';
import { VAULT_COLUMNS, VaultRow } from './vault-row.js';

const STATES = Object.keys(VAULT_LOOKS) as AdminVault['state'][];

/** All vaults with what they use. */
export function VaultsPage() {
  const { search, change, filter, filterText, open } = useInstallationSearch();
  const { q, page } = search;
  const state = readChoice(search.state, STATES);
  const vaults = useQuery(vaultsQuery({ q, state, page }));
  const [dialog, setDialog] = useState<{ vault: AdminVault; kind: VaultDialog }>();
  const close = () => setDialog(undefined);
  return (
    <PageBody
      panel={
        search.open !== undefined && (
          <VaultPanel
            key={search.open}
            id={search.open}
            onDialog={(vault, kind) => setDialog({ vault, kind })}
            onClose={() => open(undefined)}
          />
        )
      }
    >
      <Section title="Vaults">
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <SearchInput label="Search names of vaults" value={q ?? ''} onChange={filterText} className="w-64" />
          <FilterSelect
            label="State"
            all="All states"
            value={state}
            options={STATES.map((value) => ({ value, label: VAULT_LOOKS[value].label }))}
            onChange={(value) => filter({ state: value })}
          />
        </div>
        <RecordTable
          label="Vaults"
          columns={VAULT_COLUMNS}
          list={vaults}
          pages={{ page, size: PAGE_SIZE, noun: 'vault', onPage: (next) => change({ page: next }) }}
          empty={<NothingFound q={q} />}
        >
          {(vault) => (
            <VaultRow
              key={vault.id}
              vault={vault}
              isOpen={vault.id === search.open}
              onDialog={(kind) => setDialog({ vault, kind })}
            />
          )}
        </RecordTable>
      </Section>
      {dialog?.kind === 'limits' && <LimitsDialog vault={dialog.vault} onClose={close} />}
      {dialog?.kind === 'suspend' && <SuspendVaultDialog vault={dialog.vault} onClose={close} />}
    </PageBody>
  );
}

const NothingFound = ({ q }: { q: string | undefined }) => (
  <EmptyState
    icon="search"
    title="No vault found"
    actions={
      q !== undefined && (
        <Link to="/installation/$section" params={{ section: 'users' }} search={{ q }} className={buttonClass()}>
          Search users instead
        </Link>
      )
    }
  >
    Vaults are found by their name. To find the vault of a person, search for the user.
  </EmptyState>
);
