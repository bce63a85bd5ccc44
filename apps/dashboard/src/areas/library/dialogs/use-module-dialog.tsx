import { useNavigate } from '@tanstack/react-router';
import type { ModuleWithNode } from '@millrace/client';
import { Dialog } from '../../../ui/dialog.js';
import { WorkflowPicker } from '../../../ui/workflow-picker.js';

interface UseModuleDialogProps {
  module: ModuleWithNode;
  onClose: () => void;
}

/** Chooses the workflow that gets a node of the module. Its editor adds the node. */
export function UseModuleDialog({ module, onClose }: UseModuleDialogProps) {
  const navigate = useNavigate();
  return (
    <Dialog
      title={`Use “${module.name}” in a workflow`}
      description="The editor of the workflow opens with a new node. Nothing is saved yet."
      onClose={onClose}
    >
      <WorkflowPicker
        onChoose={({ id }) =>
          void navigate({ to: '/workflows/$workflowId', params: { workflowId: id }, search: { add: module.id } })
        }
      />
    </Dialog>
  );
}
