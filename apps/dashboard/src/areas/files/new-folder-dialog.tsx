import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { Button } from '../../ui/button.js';
import { Dialog, DialogActions } from '../../ui/dialog.js';
import { ErrorNote } from '../../ui/error-note.js';
import { TextField } from '../../ui/field.js';
import { joinPath } from './folder-path.js';

interface NewFolderDialogProps {
  /** The folder that will contain it. */
  parent: string;
  onCreate: (path: string) => void;
  onClose: () => void;
}

export function NewFolderDialog({ parent, onCreate, onClose }: NewFolderDialogProps) {
  const [name, setName] = useState('');
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: () => client.folders.create({ path: joinPath(parent, name.trim()) }),
    onSuccess: async ({ folder }) => {
      await queryClient.invalidateQueries({ queryKey: ['files', 'folders'] });
      onCreate(folder.path);
    },
  });
  return (
    <Dialog title="New folder" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!create.isPending) create.mutate();
        }}
      >
        <TextField
          label="Name"
          hint="A name with slashes, such as 2026/reports, creates a folder in a folder."
          value={name}
          onChange={setName}
          autoComplete="off"
          required
          autoFocus
        />
        {create.error && <ErrorNote error={create.error} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={create.isPending} disabled={name.trim() === ''}>
            Create
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
