import { useQuery } from '@tanstack/react-query';
import type { Workflow } from '@millrace/client';
import { MillraceError } from '@millrace/client';
import { workflowQuery } from '../../../api/workflow-query.js';
import { Dialog } from '../../../ui/dialog.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { latestVersionQuery } from '../queries.js';
import { listInputs } from './list-inputs.js';
import { ScheduleFormDialog } from './schedule-form-dialog.js';

interface ScheduleDialogProps {
  /** Id of the workflow. */
  id: string;
  onClose: () => void;
}

/** Edits the schedule of a workflow, or sets a new one, after the workflow and its inputs are known. */
export function ScheduleDialog({ id, onClose }: ScheduleDialogProps) {
  const { data: workflow, error } = useQuery(workflowQuery(id));
  if (!workflow)
    return (
      <Dialog title="Schedule" onClose={onClose}>
        {error ? <ErrorNote error={error} className="mt-0" /> : <Skeleton rows={4} />}
      </Dialog>
    );
  return <WithInputs workflow={workflow} onClose={onClose} />;
}

function WithInputs({ workflow, onClose }: { workflow: Workflow; onClose: () => void }) {
  const { data: version, error } = useQuery(latestVersionQuery(workflow.id));
  // A workflow without a version has no inputs; the server says that it cannot be scheduled.
  const isMissing = error instanceof MillraceError && error.code === 'not_found';
  if (!version && !isMissing)
    return (
      <Dialog title="Schedule" onClose={onClose}>
        {error ? <ErrorNote error={error} className="mt-0" /> : <Skeleton rows={4} />}
      </Dialog>
    );
  return <ScheduleFormDialog workflow={workflow} inputs={version ? listInputs(version.data) : []} onClose={onClose} />;
}
