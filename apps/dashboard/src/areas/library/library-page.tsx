import { useCallback, useState } from 'react';
import { Button } from '../../ui/button.js';
import { Page } from '../../ui/page.js';
import { SearchInput } from '../../ui/search-input.js';
import { Tabs } from '../../ui/tabs.js';
import { AddModuleDialog } from './dialogs/add-module-dialog.js';
import { ModuleBrowser } from './modules/module-browser.js';
import { PublishedList } from './published/published-list.js';
import { libraryRoute } from './routes.js';
import type { LibrarySearch } from './search.js';

/** Modules to build workflows from, and workflows that the vault has published. */
export function LibraryPage() {
  const search = libraryRoute.useSearch();
  const navigate = libraryRoute.useNavigate();
  const [isAdding, setAdding] = useState(false);
  const tab = search.tab ?? 'modules';
  const change = useCallback(
    (part: { [Field in keyof LibrarySearch]: LibrarySearch[Field] | undefined }) =>
      void navigate({ search: (current) => ({ ...current, ...part }) as LibrarySearch, replace: true }),
    [navigate],
  );
  return (
    <Page
      title="Library"
      actions={
        <>
          <SearchInput
            label={tab === 'modules' ? 'Search modules' : 'Search published workflows'}
            value={search.q ?? ''}
            onChange={useCallback((q: string) => change({ q }), [change])}
            className="w-64"
          />
          <Button look="primary" icon="plus" onClick={() => setAdding(true)}>
            Add a module
          </Button>
        </>
      }
    >
      <Tabs
        label="Library"
        className="px-6 max-sm:px-4"
        tabs={[
          { value: 'modules', label: 'Modules' },
          { value: 'workflows', label: 'Published workflows' },
        ]}
        value={tab}
        onChange={(value) =>
          void navigate({
            search: { ...(value === 'workflows' && { tab: value }), ...(search.q !== undefined && { q: search.q }) },
          })
        }
      >
        {tab === 'modules' ? <ModuleBrowser search={search} onChange={change} /> : <PublishedList q={search.q} />}
      </Tabs>
      {isAdding && <AddModuleDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}
