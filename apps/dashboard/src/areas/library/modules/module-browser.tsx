import { useInfiniteQuery } from '@tanstack/react-query';
import { countOf } from '../../../text/format-count.js';
import { Button } from '../../../ui/button.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { FilterSelect } from '../../../ui/filter-select.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { modulesQuery } from '../queries.js';
import { KIND_LABELS, KINDS, type LibrarySearch } from '../search.js';
import { CategoryList } from './category-list.js';
import { ModuleTable } from './module-table.js';

export type ChangeSearch = (part: { [Field in keyof LibrarySearch]: LibrarySearch[Field] | undefined }) => void;

interface ModuleBrowserProps {
  search: LibrarySearch;
  onChange: ChangeSearch;
}

/** The modules by category, with filters. */
export function ModuleBrowser({ search, onChange }: ModuleBrowserProps) {
  return (
    <div className="flex gap-6 px-6 pt-4 max-md:flex-col max-sm:px-4">
      <CategoryList selected={search.category} />
      <div className="min-w-0 flex-1">
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <FilterSelect
            label="Kind"
            all="All kinds"
            value={search.kind}
            options={KINDS.map((value) => ({ value, label: `${KIND_LABELS[value]}s` }))}
            onChange={(kind) => onChange({ kind: kind })}
          />
          <FilterSelect
            label="Source"
            all="All sources"
            value={search.source}
            options={[
              { value: 'built-in', label: 'Built-in' },
              { value: 'vault', label: 'Of this vault' },
            ]}
            onChange={(source) => onChange({ source: source })}
          />
        </div>
        <Modules search={search} />
      </div>
    </div>
  );
}

function Modules({ search }: { search: LibrarySearch }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    modulesQuery(search),
  );
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={12} />;
  const modules = data.pages.flatMap(({ results }) => results);
  if (modules.length === 0)
    return search.source === 'vault' && search.q === undefined ? (
      <EmptyState icon="library" title="No modules of your own yet">
        <p>Add a tool, a script or a published workflow. Everyone in the vault can use it as a node then.</p>
      </EmptyState>
    ) : (
      <EmptyState icon="search" title="No module found">
        <p>Search finds words, or beginnings of words, of names, descriptions and categories.</p>
      </EmptyState>
    );
  return (
    <>
      <ModuleTable modules={modules} isGrouped={search.q === undefined && search.category === undefined} />
      <div className="mt-3 flex items-center gap-3 text-xs text-muted">
        {hasNextPage && (
          <Button isPending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        )}
        <span role="status">{countOf(data.pages[0]?.count ?? 0, 'module')}</span>
      </div>
    </>
  );
}
