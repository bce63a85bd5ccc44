import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Space } from '@millrace/client';
import { client } from '../../../api/client.js';
import { spacesQuery } from '../../../api/spaces.js';
import { TextAreaField, TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { ColorField } from './color-field.js';

/** Creates a space, or changes the given one. */
export function SpaceDialog({ space, onClose }: { space?: Space; onClose: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState(space?.name ?? '');
  const [description, setDescription] = useState(space?.description ?? '');
  const [color, setColor] = useState(space?.color);
  const save = useMutation({
    mutationFn: () => {
      const fields = { name: name.trim(), ...(color !== undefined && { color }) };
      const text = description.trim();
      return space
        ? client.spaces.update(space.id, { ...fields, description: text === '' ? null : text })
        : client.spaces.create({ ...fields, ...(text !== '' && { description: text }) });
    },
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: ['workflows', 'spaces'] });
      void queryClient.invalidateQueries(spacesQuery);
      if (!space) await navigate({ to: '/workflows', search: { space: id } });
      onClose();
    },
  });
  return (
    <FormDialog
      title={space ? 'Change the space' : 'New space'}
      description={
        space ? undefined : 'A folder of projects and workflows with roles of its own. You become its owner.'
      }
      action={space ? 'Save' : 'Create'}
      mutation={save}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} maxLength={255} dir="auto" required autoFocus />
      <TextAreaField
        label="Description"
        value={description}
        onChange={setDescription}
        maxLength={2000}
        dir="auto"
        rows={2}
      />
      <ColorField value={color} onChange={setColor} />
    </FormDialog>
  );
}
