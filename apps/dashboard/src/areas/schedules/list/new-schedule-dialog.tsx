import { Dialog } from '../../../ui/dialog.js';
import { WorkflowPicker } from '../../../ui/workflow-picker.js';

interface NewScheduleDialogProps {
  onChoose: (workflow: string) => void;
  onClose: () => void;
}

/** Chooses the workflow that gets a schedule. */
export const NewScheduleDialog = ({ onChoose, onClose }: NewScheduleDialogProps) => (
  <Dialog title="Schedule a workflow" description="A workflow has one schedule." onClose={onClose}>
    <WorkflowPicker
      describe={(workflow) => (workflow.schedule_info ? 'has a schedule' : workflow.space_name)}
      onChoose={({ id }) => onChoose(id)}
    />
  </Dialog>
);
