import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Project } from '@millrace/client';
import { client } from '../../../api/client.js';
import { TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';

/** Creates a project in a space, or renames the given one. */
export function ProjectDialog({ space, project, onClose }: { space: string; project?: Project; onClose: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState(project?.name ?? '');
  const save = useMutation({
    mutationFn: () => {
      const fields = { name: name.trim() };
      return project ? client.projects.update(project.id, fields) : client.projects.create(space, fields);
    },
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: ['workflows'] });
      if (!project) await navigate({ to: '/workflows', search: { space, project: id } });
      onClose();
    },
  });
  return (
    <FormDialog
      title={project ? 'Rename the project' : 'New project'}
      action={project ? 'Rename' : 'Create'}
      mutation={save}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} maxLength={255} dir="auto" required autoFocus />
    </FormDialog>
  );
}
