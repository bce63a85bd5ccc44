import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Workflow } from '@millrace/client';
import { apiUrl, client } from '../../api/client.js';
import { useSpaceRole } from '../../api/roles.js';
import { IconButton } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import { Menu, type MenuItem } from '../../ui/menu.js';
import { DetailsDialog } from './dialogs/details-dialog.js';
import { PlaceDialog } from './dialogs/place-dialog.js';

/** What can be done with a workflow of the list. */
export function WorkflowMenu({ workflow }: { workflow: Workflow }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const canEdit = useSpaceRole(workflow.space_info, 'write');
  const [dialog, setDialog] = useState<'details' | 'copy' | 'move' | 'delete'>();
  const close = () => setDialog(undefined);
  const always: MenuItem[] = [
    {
      label: 'Runs',
      icon: 'play',
      onSelect: () => void navigate({ to: '/workflows/$workflowId/runs', params: { workflowId: workflow.id } }),
    },
    ...(workflow.latest_version_info === undefined
      ? []
      : [
          {
            label: 'Export as YAML',
            icon: 'download' as const,
            onSelect: () => location.assign(apiUrl(`/workflows/${workflow.id}/export?form=compact`)),
          },
        ]),
    { label: 'Copy', icon: 'copy', onSelect: () => setDialog('copy') },
  ];
  return (
    <>
      <Menu
        trigger={<IconButton icon="dots" label={`Actions for ${workflow.name}`} />}
        groups={[
          always,
          canEdit
            ? [
                { label: 'Name and description', icon: 'pencil', onSelect: () => setDialog('details') },
                { label: 'Move', icon: 'arrowRight', onSelect: () => setDialog('move') },
              ]
            : [],
          canEdit ? [{ label: 'Delete', icon: 'trash', isDangerous: true, onSelect: () => setDialog('delete') }] : [],
        ]}
      />
      {dialog === 'details' && <DetailsDialog workflow={workflow} onClose={close} />}
      {(dialog === 'copy' || dialog === 'move') && <PlaceDialog workflow={workflow} action={dialog} onClose={close} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete the workflow “${workflow.name}”?`}
          description="All its versions are deleted, and its schedule ends. Its runs remain. This cannot be undone."
          action="Delete the workflow"
          typedName={workflow.name}
          onConfirm={async () => {
            await client.workflows.delete(workflow.id);
            await queryClient.invalidateQueries({ queryKey: ['workflows'] });
          }}
          onClose={close}
        />
      )}
    </>
  );
}
