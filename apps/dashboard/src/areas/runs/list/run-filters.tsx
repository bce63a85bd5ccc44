import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../api/client.js';
import { spacesQuery } from '../../../api/spaces.js';
import { Button } from '../../../ui/button.js';
import { Select } from '../../../ui/field.js';
import { SearchInput } from '../../../ui/search-input.js';
import {
  CREATION_TYPES,
  DEFAULT_ORDERING,
  hasFilter,
  type ListSearch,
  ORDERINGS,
  STATUS_FILTERS,
} from './list-search.js';

interface RunFiltersProps {
  search: ListSearch;
  onChange: (search: ListSearch) => void;
  /** Whether runs of all workflows and spaces are listed. */
  isGlobal: boolean;
}

const toOptions = (all: string, labels: Record<string, string>) => [
  { value: '', label: all },
  ...Object.entries(labels).map(([value, label]) => ({ value, label })),
];

const STATUS_LABELS = Object.fromEntries(Object.entries(STATUS_FILTERS).map(([value, { label }]) => [value, label]));

export function RunFilters({ search, onChange, isGlobal }: RunFiltersProps) {
  const set = (name: keyof ListSearch, value: string) => onChange({ ...search, [name]: value || undefined });
  return (
    <div role="search" aria-label="Filter runs" className="flex flex-wrap items-center gap-2">
      <SearchInput
        label="Search by name"
        value={search.search ?? ''}
        onChange={(value) => set('search', value)}
        className="w-44 grow sm:max-w-72"
      />
      <Select
        aria-label="Status"
        className="w-32!"
        value={search.status ?? ''}
        options={toOptions('Any status', STATUS_LABELS)}
        onChange={(value) => set('status', value)}
      />
      <Select
        aria-label="Started by"
        className="w-36!"
        value={search.type ?? ''}
        options={toOptions('Any trigger', CREATION_TYPES)}
        onChange={(value) => set('type', value)}
      />
      {isGlobal && <PlaceFilters search={search} set={set} />}
      {hasFilter(search) && (
        <Button look="quiet" icon="x" onClick={() => onChange(search.sort ? { sort: search.sort } : {})}>
          Clear
        </Button>
      )}
      <Select
        aria-label="Order"
        className="ml-auto w-36!"
        value={search.sort ?? DEFAULT_ORDERING}
        options={Object.entries(ORDERINGS).map(([value, label]) => ({ value, label }))}
        onChange={(value) => set('sort', value)}
      />
    </div>
  );
}

/** The filters by workflow and space. Their choices are requested when somebody opens one, or if the address has one. */
function PlaceFilters({
  search,
  set,
}: {
  search: ListSearch;
  set: (name: 'workflow' | 'space', value: string) => void;
}) {
  const [isOpened, setOpened] = useState(false);
  const enabled = isOpened || search.workflow !== undefined || search.space !== undefined;
  const { data: workflows } = useQuery({
    queryKey: ['runs', 'workflow-choices'],
    queryFn: async ({ signal }) =>
      (await client.workflows.list({ page_size: 200, ordering: 'name' }, { signal })).results,
    enabled,
  });
  const { data: spaces } = useQuery({ ...spacesQuery, enabled });
  const open = () => setOpened(true);
  return (
    <>
      <Select
        aria-label="Workflow"
        className="w-36!"
        value={search.workflow ?? ''}
        options={toOptions('Any workflow', namesOf(workflows, search.workflow))}
        onChange={(value) => set('workflow', value)}
        onFocus={open}
        onMouseEnter={open}
      />
      <Select
        aria-label="Space"
        className="w-32!"
        value={search.space ?? ''}
        options={toOptions('Any space', namesOf(spaces, search.space))}
        onChange={(value) => set('space', value)}
        onFocus={open}
        onMouseEnter={open}
      />
    </>
  );
}

/** The chosen one is a choice even if the list is not loaded or lacks it. */
function namesOf(records: readonly { id: string; name: string }[] | undefined, chosen: string | undefined) {
  const names = Object.fromEntries((records ?? []).map(({ id, name }) => [id, name]));
  return chosen === undefined || chosen in names ? names : { ...names, [chosen]: 'The chosen one' };
}
