import { type ReactNode, useState } from 'react';
import { client } from '../../../api/client.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { notifyError } from '../../../ui/toast.js';
import { joinPath } from '../folder-path.js';
import { findReplaced } from './find-replaced.js';
import type { UploadItem } from './upload-queue.js';
import { uploadQueue } from './uploads.js';

const MAX_NAMED = 5;

/** Adds files to a folder. The user decides about those that are already there. */
export function useUpload(folder: string): { upload: (items: UploadItem[]) => void; dialog: ReactNode } {
  const [pending, setPending] = useState<{ items: UploadItem[]; replaced: string[] }>();
  const start = async (items: UploadItem[]) => {
    const placed = items.map(({ path, content }) => ({ path: joinPath(folder, path), content }));
    const replaced = await findReplaced(
      placed.map(({ path }) => path),
      (path) => client.files.list({ path, page_size: 1_000 }),
    );
    if (replaced.length === 0) uploadQueue.add(placed);
    else setPending({ items: placed, replaced });
  };
  const dialog = pending && (
    <ConfirmDialog
      title={pending.replaced.length === 1 ? 'Replace the file?' : `Replace ${pending.replaced.length} files?`}
      description={<ReplacedFiles paths={pending.replaced} />}
      action="Replace"
      onConfirm={() => {
        uploadQueue.add(pending.items);
        return Promise.resolve();
      }}
      onClose={() => setPending(undefined)}
    />
  );
  return {
    upload: (items) => void start(items).catch((error: unknown) => notifyError('The upload could not start', error)),
    dialog,
  };
}

const ReplacedFiles = ({ paths }: { paths: readonly string[] }) => (
  <>
    <span className="wrap-text">
      {paths.slice(0, MAX_NAMED).join(', ')}
      {paths.length > MAX_NAMED && ` and ${paths.length - MAX_NAMED} more`}
    </span>{' '}
    {paths.length === 1 ? 'is' : 'are'} already in the storage. Runs that have started keep the old content.
  </>
);
