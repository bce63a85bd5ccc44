import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { PublishedSnapshot } from '@millrace/client';
import { client } from '../../../api/client.js';
import { useSpacesWithRole } from '../../../api/spaces.js';
import { SelectField, TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { SpaceField } from '../../../ui/space-field.js';
import { projectsQuery } from '../queries.js';

interface CopyPublishedDialogProps {
  snapshot: PublishedSnapshot;
  onClose: () => void;
}

/** Makes a workflow of a published one, in a space of the user. */
export function CopyPublishedDialog({ snapshot, onClose }: CopyPublishedDialogProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const spaces = useSpacesWithRole('write');
  const [chosen, setChosen] = useState<string>();
  const [project, setProject] = useState('');
  const [name, setName] = useState(snapshot.name);
  const space = chosen ?? spaces[0]?.id ?? '';
  const { data: projects = [] } = useQuery(projectsQuery(space));
  const copy = useMutation({
    mutationFn: () =>
      client.snapshots.copy(snapshot.id, { space, name: name.trim(), ...(project !== '' && { project }) }),
    onSuccess: async (workflow) => {
      await queryClient.invalidateQueries({ queryKey: ['workflows'] });
      onClose();
      await navigate({ to: '/workflows/$workflowId', params: { workflowId: workflow.id } });
    },
  });
  return (
    <FormDialog
      title={`Copy “${snapshot.name}”`}
      description="The copy is a workflow of its own. Later changes of the original do not reach it."
      action="Copy"
      mutation={copy}
      isIncomplete={space === '' || name.trim() === ''}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} maxLength={255} dir="auto" required autoFocus />
      <SpaceField
        value={space}
        onChange={(id) => {
          setChosen(id);
          setProject('');
        }}
      />
      {projects.length > 0 && (
        <SelectField
          label="Project"
          value={project}
          options={[{ value: '', label: 'None' }, ...projects.map(({ id, name: label }) => ({ value: id, label }))]}
          onChange={setProject}
        />
      )}
    </FormDialog>
  );
}
