import { useQueryClient } from '@tanstack/react-query';
import { MillraceError } from '@millrace/client';
import { client } from '../../api/client.js';
import { formatBytes } from '../../text/format-bytes.js';
import { countOf } from '../../text/format-count.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import { compareForDeletion, describeDeletion, type StorageEntry } from './describe-deletion.js';

interface DeleteDialogProps {
  targets: readonly StorageEntry[];
  /** Called for each target that is gone. */
  onDelete: (target: StorageEntry) => void;
  onClose: () => void;
}

const MAX_LISTED = 50;

export function DeleteDialog({ targets, onDelete, onClose }: DeleteDialogProps) {
  const queryClient = useQueryClient();
  const { title, description, typedName } = describeDeletion(targets);
  const deleteAll = async () => {
    try {
      for (const target of targets.toSorted(compareForDeletion)) {
        await remove(target);
        onDelete(target);
      }
    } finally {
      // The panel of the deleted file may still be open for a moment; its record no longer exists.
      await queryClient.invalidateQueries({ queryKey: ['files'], predicate: ({ queryKey }) => queryKey[1] !== 'file' });
    }
  };
  return (
    <ConfirmDialog
      title={title}
      description={
        <>
          {description}
          {targets.length > 1 && <Targets targets={targets} />}
        </>
      }
      action="Delete"
      {...(typedName !== undefined && { typedName })}
      onConfirm={deleteAll}
      onClose={onClose}
    />
  );
}

/** What somebody else has deleted is gone as well. Otherwise a second attempt would never get past it. */
async function remove({ kind, entry }: StorageEntry): Promise<void> {
  try {
    if (kind === 'file') await client.files.delete(entry.id);
    else await client.folders.delete({ path: entry.path });
  } catch (error) {
    if (!(error instanceof MillraceError && error.code === 'not_found')) throw error;
  }
}

const Targets = ({ targets }: { targets: readonly StorageEntry[] }) => (
  <span
    role="list"
    aria-label="What is deleted"
    tabIndex={0}
    className="mt-2 block max-h-48 overflow-y-auto rounded-md border border-line px-3 py-1"
  >
    {targets.slice(0, MAX_LISTED).map(({ kind, entry }) => (
      <span key={entry.id} role="listitem" className="flex gap-3 py-0.5 text-ink">
        <span dir="auto" title={entry.path} className="min-w-0 flex-1 truncate">
          {entry.name}
        </span>
        <span className="nums text-muted">
          {kind === 'file' ? formatBytes(entry.size) : 'folder with everything in it'}
        </span>
      </span>
    ))}
    {targets.length > MAX_LISTED && (
      <span role="listitem" className="block py-0.5">
        and {countOf(targets.length - MAX_LISTED, 'other')}
      </span>
    )}
  </span>
);
