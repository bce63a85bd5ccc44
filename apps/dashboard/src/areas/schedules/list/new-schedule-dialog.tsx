import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../../ui/dialog.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Icon } from '../../../ui/icon.js';
import { SearchInput } from '../../../ui/search-input.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { workflowChoicesQuery } from '../queries.js';

interface NewScheduleDialogProps {
  onChoose: (workflow: string) => void;
  onClose: () => void;
}

/** Chooses the workflow that gets a schedule. */
export function NewScheduleDialog({ onChoose, onClose }: NewScheduleDialogProps) {
  const [q, setQ] = useState('');
  const { data, error } = useQuery(workflowChoicesQuery(q));
  return (
    <Dialog title="Schedule a workflow" description="A workflow has one schedule." onClose={onClose}>
      <SearchInput label="Search workflows" value={q} onChange={setQ} />
      {error && <ErrorNote error={error} />}
      {!data && !error && <Skeleton rows={4} />}
      {data?.results.length === 0 && (
        <p className="mt-3 text-sm text-muted">
          {q === '' ? 'You have no workflows yet. Create one first.' : 'No workflow found.'}
        </p>
      )}
      <ul className="mt-2 flex flex-col">
        {data?.results.map((workflow) => (
          <li key={workflow.id}>
            <button
              type="button"
              onClick={() => onChoose(workflow.id)}
              className="flex h-9 w-full min-w-0 items-center gap-2.5 rounded-md px-2 text-left text-sm hover:bg-hover"
            >
              <Icon name="workflow" className="text-muted" />
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {workflow.name}
              </span>
              <span dir="auto" className="max-w-40 truncate text-xs text-muted">
                {workflow.schedule_info ? 'has a schedule' : workflow.space_name}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
