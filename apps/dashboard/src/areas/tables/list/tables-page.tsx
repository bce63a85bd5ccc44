import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { spacesQuery, useSpacesWithRole } from '../../../api/spaces.js';
import { Button } from '../../../ui/button.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { FilterSelect } from '../../../ui/filter-select.js';
import { Page } from '../../../ui/page.js';
import { Pager } from '../../../ui/pager.js';
import { SearchInput } from '../../../ui/search-input.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { Tabs } from '../../../ui/tabs.js';
import { tablesRoute } from '../routes.js';
import { FoldersTab } from '../views/folders-tab.js';
import { CreateSolutionDialog, CreateTableDialog } from './create-dialogs.js';
import { groupTables } from './group-tables.js';
import { PAGE_SIZE, solutionsQuery, tablesQuery } from './list-queries.js';
import type { ListSearch } from './list-search.js';
import { SolutionSection } from './solution-section.js';

const TABS = [
  { value: 'tables', label: 'Tables' },
  { value: 'folders', label: 'Folders of views' },
] as const;

export function TablesPage() {
  const { show = 'tables' } = tablesRoute.useSearch();
  const navigate = tablesRoute.useNavigate();
  const canCreate = useSpacesWithRole('write').length > 0;
  const [creating, setCreating] = useState<'table' | 'solution'>();
  return (
    <Page
      title="Tables"
      actions={
        canCreate && (
          <>
            <Button icon="database" onClick={() => setCreating('solution')}>
              New solution
            </Button>
            <Button look="primary" icon="plus" onClick={() => setCreating('table')}>
              New table
            </Button>
          </>
        )
      }
    >
      <Tabs
        label="Tables and views"
        tabs={TABS}
        value={show}
        onChange={(value) => void navigate({ search: value === 'folders' ? { show: value } : {} })}
        className="mx-6 max-sm:mx-4"
        panelClassName="px-6 pt-4 max-sm:px-4"
      >
        {show === 'folders' ? (
          <FoldersTab />
        ) : (
          <TableList onCreate={canCreate ? () => setCreating('table') : undefined} />
        )}
      </Tabs>
      {creating === 'table' && <CreateTableDialog onClose={() => setCreating(undefined)} />}
      {creating === 'solution' && <CreateSolutionDialog onClose={() => setCreating(undefined)} />}
    </Page>
  );
}

function TableList({ onCreate }: { onCreate: (() => void) | undefined }) {
  const search = tablesRoute.useSearch();
  const navigate = tablesRoute.useNavigate();
  const change = (next: ListSearch, replace = false) => void navigate({ search: next, replace });
  const tables = useQuery(tablesQuery(search));
  const solutions = useQuery(solutionsQuery(search.space));
  const spaces = useQuery(spacesQuery);
  const page = search.page ?? 1;
  const isFiltered = search.search !== undefined;
  const groups = groupTables(tables.data?.results ?? [], solutions.data?.results ?? [], !isFiltered && page === 1);
  const nameOf = (space: string) => spaces.data?.find(({ id }) => id === space)?.name;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput
          label="Search tables"
          value={search.search ?? ''}
          onChange={(text) =>
            change({ ...(search.space && { space: search.space }), ...(text && { search: text }) }, true)
          }
          className="w-72"
        />
        <FilterSelect
          label="Space"
          all="All spaces"
          value={search.space}
          options={(spaces.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(space) => change({ ...(search.search && { search: search.search }), ...(space && { space }) })}
          className="max-w-60"
        />
      </div>
      {tables.error && <ErrorNote error={tables.error} onRetry={() => void tables.refetch()} />}
      {tables.isPending && <Skeleton />}
      {groups.map((group) => (
        <SolutionSection key={group.id} group={group} space={nameOf(group.space)} />
      ))}
      {tables.data && groups.length === 0 && (isFiltered ? <NothingFound /> : <NoTables onCreate={onCreate} />)}
      {tables.data && tables.data.count > 0 && (
        <Pager
          page={page}
          pageSize={PAGE_SIZE}
          count={tables.data.count}
          noun="table"
          onPage={(next) => change({ ...search, page: next })}
        />
      )}
    </>
  );
}

const NothingFound = () => (
  <EmptyState icon="search" title="No table found">
    No name and no description contains this text.
  </EmptyState>
);

const NoTables = ({ onCreate }: { onCreate: (() => void) | undefined }) => (
  <EmptyState
    icon="table"
    title="No tables yet"
    actions={
      onCreate && (
        <Button look="primary" icon="plus" onClick={onCreate}>
          New table
        </Button>
      )
    }
  >
    {onCreate
      ? 'A Live Table collects what runs find. Create one, then bind an output of a workflow to it, or upload a CSV file. You can query it while it fills, and see what each run changed.'
      : 'A Live Table collects what runs find. You see those of the spaces in which you have a role, and create one where you have the role “write”. An owner of the vault can give it to you.'}
  </EmptyState>
);
