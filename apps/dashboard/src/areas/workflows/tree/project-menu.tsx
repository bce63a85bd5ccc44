import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Project } from '@millrace/client';
import { client } from '../../../api/client.js';
import { useSpaceRole } from '../../../api/roles.js';
import { IconButton } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { Menu } from '../../../ui/menu.js';
import { ProjectDialog } from '../dialogs/project-dialog.js';

/** What can be done with a project. */
export function ProjectMenu({ project }: { project: Project }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const canEdit = useSpaceRole(project.space_info, 'write');
  const [dialog, setDialog] = useState<'edit' | 'delete'>();
  const close = () => setDialog(undefined);
  if (!canEdit) return null;
  return (
    <>
      <Menu
        trigger={
          <IconButton
            icon="dots"
            label={`Actions for ${project.name}`}
            className="absolute right-0 opacity-0 group-hover:opacity-100 focus-visible:opacity-100 data-popup-open:opacity-100"
          />
        }
        groups={[
          [{ label: 'Rename', icon: 'pencil', onSelect: () => setDialog('edit') }],
          [{ label: 'Delete', icon: 'trash', isDangerous: true, onSelect: () => setDialog('delete') }],
        ]}
      />
      {dialog === 'edit' && <ProjectDialog space={project.space_info} project={project} onClose={close} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete the project “${project.name}”?`}
          description="Its workflows stay in the space."
          action="Delete the project"
          onConfirm={async () => {
            await client.projects.delete(project.id);
            await navigate({ to: '/workflows', search: { space: project.space_info } });
            await queryClient.invalidateQueries({ queryKey: ['workflows'] });
          }}
          onClose={close}
        />
      )}
    </>
  );
}
