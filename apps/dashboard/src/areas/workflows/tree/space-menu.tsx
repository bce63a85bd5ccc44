import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Space } from '@millrace/client';
import { client } from '../../../api/client.js';
import { useSpaceRole } from '../../../api/roles.js';
import { spacesQuery } from '../../../api/spaces.js';
import { countOf } from '../../../text/format-count.js';
import { IconButton } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { Menu } from '../../../ui/menu.js';
import { ProjectDialog } from '../dialogs/project-dialog.js';
import { SpaceDialog } from '../dialogs/space-dialog.js';

/** What can be done with a space. */
export function SpaceMenu({ space }: { space: Space }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const canEdit = useSpaceRole(space.id, 'write');
  const canAdminister = useSpaceRole(space.id, 'owner');
  const [dialog, setDialog] = useState<'edit' | 'project' | 'delete'>();
  const close = () => setDialog(undefined);
  if (!canEdit) return null;
  return (
    <>
      <Menu
        trigger={
          <IconButton
            icon="dots"
            label={`Actions for ${space.name}`}
            className="absolute right-0 opacity-0 group-hover:opacity-100 focus-visible:opacity-100 data-popup-open:opacity-100"
          />
        }
        groups={[
          [
            { label: 'New project', icon: 'plus', onSelect: () => setDialog('project') },
            ...(canAdminister
              ? [{ label: 'Name and colour', icon: 'pencil' as const, onSelect: () => setDialog('edit') }]
              : []),
          ],
          canAdminister
            ? [{ label: 'Delete', icon: 'trash', isDangerous: true, onSelect: () => setDialog('delete') }]
            : [],
        ]}
      />
      {dialog === 'edit' && <SpaceDialog space={space} onClose={close} />}
      {dialog === 'project' && <ProjectDialog space={space.id} onClose={close} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete the space “${space.name}”?`}
          description={`Its ${countOf(space.workflows_count, 'workflow')}, projects and tables are deleted with it. This cannot be undone.`}
          action="Delete the space"
          typedName={space.name}
          onConfirm={async () => {
            await client.spaces.delete(space.id);
            await navigate({ to: '/workflows', search: {} });
            await queryClient.invalidateQueries({ queryKey: ['workflows'] });
            void queryClient.invalidateQueries(spacesQuery);
          }}
          onClose={close}
        />
      )}
    </>
  );
}
