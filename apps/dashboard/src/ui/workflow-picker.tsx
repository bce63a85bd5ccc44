import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Workflow } from '@millrace/client';
import { client } from '../api/client.js';
import { useSpaceRole } from '../api/roles.js';
import { ErrorNote } from './error-note.js';
import { Icon } from './icon.js';
import { SearchInput } from './search-input.js';
import { Skeleton } from './skeleton.js';

const MAX_CHOICES = 20;

/** The most recently changed workflows, or those that a search finds. */
const choicesQuery = (q: string) =>
  queryOptions({
    queryKey: ['workflow-choices', q],
    queryFn: async ({ signal }) =>
      await client.workflows.list(
        { page_size: MAX_CHOICES, ordering: '-modified_date', ...(q !== '' && { search: q }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

interface WorkflowPickerProps {
  onChoose: (workflow: Workflow) => void;
  /** A fact about a workflow; default: its space. */
  describe?: (workflow: Workflow) => string;
}

/** Chooses a workflow that the user may edit. */
export function WorkflowPicker({ onChoose, describe = ({ space_name: space }) => space }: WorkflowPickerProps) {
  const [q, setQ] = useState('');
  const { data, error, refetch } = useQuery(choicesQuery(q));
  return (
    <>
      <SearchInput label="Search workflows" value={q} onChange={setQ} autoFocus />
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={4} />}
      {data?.results.length === 0 && (
        <p role="status" className="mt-3 text-sm text-muted">
          {q === '' ? 'You have no workflows yet. Create one first.' : 'No workflow found.'}
        </p>
      )}
      <ul className="mt-2 flex flex-col">
        {data?.results.map((workflow) => (
          <li key={workflow.id}>
            <Choice workflow={workflow} fact={describe(workflow)} onChoose={() => onChoose(workflow)} />
          </li>
        ))}
      </ul>
      {data && data.count > data.results.length && (
        <p className="mt-2 px-2 text-xs text-muted">Search to find others.</p>
      )}
    </>
  );
}

function Choice({ workflow, fact, onChoose }: { workflow: Workflow; fact: string; onChoose: () => void }) {
  const mayEdit = useSpaceRole(workflow.space_info, 'write');
  return (
    <button
      type="button"
      disabled={!mayEdit}
      title={mayEdit ? workflow.name : `You may not edit workflows in ${workflow.space_name}`}
      onClick={onChoose}
      className="flex h-9 w-full min-w-0 items-center gap-2.5 rounded-md px-2 text-left text-sm hover:bg-hover disabled:opacity-60"
    >
      <Icon name="workflow" className="text-muted" />
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {workflow.name}
      </span>
      <span dir="auto" className="max-w-40 truncate text-xs text-muted">
        {fact}
      </span>
    </button>
  );
}
