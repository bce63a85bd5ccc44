import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { ModuleWithNode } from '@millrace/client';
import { Dialog } from '../../../ui/dialog.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Icon } from '../../../ui/icon.js';
import { SearchInput } from '../../../ui/search-input.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { Time } from '../../../ui/time.js';
import { workflowChoicesQuery } from '../queries.js';

interface UseModuleDialogProps {
  module: ModuleWithNode;
  onClose: () => void;
}

/** Chooses the workflow that gets a node of the module. Its editor adds the node. */
export function UseModuleDialog({ module, onClose }: UseModuleDialogProps) {
  const { history } = useRouter();
  const [q, setQ] = useState('');
  const { data, error } = useQuery(workflowChoicesQuery(q));
  return (
    <Dialog
      title={`Use “${module.name}” in a workflow`}
      description="The editor of the workflow opens with a new node. Nothing is saved yet."
      onClose={onClose}
    >
      <SearchInput label="Search workflows" value={q} onChange={setQ} />
      {error && <ErrorNote error={error} />}
      {!data && !error && <Skeleton />}
      {data && data.results.length === 0 && (
        <p className="mt-3 text-sm text-muted">
          {q === '' ? 'You have no workflows yet. Create one first.' : 'No workflow found.'}
        </p>
      )}
      <ul className="mt-2 flex flex-col">
        {data?.results.map((workflow) => (
          <li key={workflow.id}>
            <button
              type="button"
              onClick={() => history.push(`/workflows/${workflow.id}?${new URLSearchParams({ add: module.id })}`)}
              className="flex h-9 w-full min-w-0 items-center gap-2.5 rounded-md px-2 text-left text-sm hover:bg-hover"
            >
              <Icon name="workflow" className="text-muted" />
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {workflow.name}
              </span>
              <span dir="auto" className="max-w-32 truncate text-xs text-muted">
                {workflow.space_name}
              </span>
              <Time value={workflow.modified_date} className="text-xs text-muted" />
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
