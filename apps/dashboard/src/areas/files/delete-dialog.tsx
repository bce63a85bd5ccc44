import { useQueryClient } from '@tanstack/react-query';
import type { File as StoredFile, Folder } from '@millrace/client';
import { client } from '../../api/client.js';
import { formatBytes } from '../../text/format-bytes.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';

/** What is to be deleted. */
export type Doomed = { kind: 'file'; file: StoredFile } | { kind: 'folder'; folder: Folder };

interface DeleteDialogProps {
  target: Doomed;
  onDelete: () => void;
  onClose: () => void;
}

export function DeleteDialog({ target, onDelete, onClose }: DeleteDialogProps) {
  const queryClient = useQueryClient();
  const finish = async (request: Promise<unknown>) => {
    await request;
    onDelete();
    // The panel of the deleted file may still be open for a moment; its record no longer exists.
    await queryClient.invalidateQueries({ queryKey: ['files'], predicate: ({ queryKey }) => queryKey[1] !== 'file' });
  };
  if (target.kind === 'file')
    return (
      <ConfirmDialog
        title={`Delete the file “${target.file.name}”?`}
        description={`${formatBytes(target.file.size)}. It cannot be restored. Runs that have started keep its content.`}
        action="Delete"
        onConfirm={() => finish(client.files.delete(target.file.id))}
        onClose={onClose}
      />
    );
  const { name, path } = target.folder;
  return (
    <ConfirmDialog
      title={`Delete the folder “${name}” with everything in it?`}
      description="All its files and folders are deleted and cannot be restored. Runs that have started keep the content of their inputs."
      action="Delete"
      typedName={name}
      onConfirm={() => finish(client.folders.delete({ path }))}
      onClose={onClose}
    />
  );
}
