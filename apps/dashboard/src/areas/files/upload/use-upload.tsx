import { type ReactNode, useState } from 'react';
import { MillraceError } from '@millrace/client';
import { client } from '../../../api/client.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { notifyError } from '../../../ui/toast.js';
import { joinPath } from '../folder-path.js';
import { findReplaced, type Replaced } from './find-replaced.js';
import type { UploadItem } from './upload-queue.js';
import { uploadQueue } from './uploads.js';

const MAX_NAMED = 5;

/** Adds files to a folder. The user decides about those that are already there. */
export function useUpload(folder: string): { upload: (items: UploadItem[]) => void; dialog: ReactNode } {
  const [pending, setPending] = useState<{ items: UploadItem[]; replaced: Replaced }>();
  const start = async (items: UploadItem[]) => {
    const placed = items.map(({ path, content }) => ({ path: joinPath(folder, path), content }));
    const replaced = await findReplaced(
      placed.map(({ path }) => path),
      listFiles,
    );
    if (replaced.paths.length === 0 && replaced.isComplete) uploadQueue.add(placed);
    else setPending({ items: placed, replaced });
  };
  const dialog = pending && (
    <ConfirmDialog
      title={titleOf(pending.replaced)}
      description={<ReplacedFiles {...pending.replaced} />}
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

/** A name that the storage does not accept replaces nothing. Its upload then fails alone, and says why. */
async function listFiles(path: string, page: number) {
  try {
    return await client.files.list({ path, page, page_size: 1_000 });
  } catch (error) {
    if (error instanceof MillraceError && error.code === 'validation_error') return { results: [] };
    throw error;
  }
}

function titleOf({ paths, isComplete }: Replaced): string {
  if (!isComplete) return 'Replace files with the same names?';
  return paths.length === 1 ? 'Replace the file?' : `Replace ${paths.length} files?`;
}

const ReplacedFiles = ({ paths, isComplete }: Replaced) => (
  <>
    {paths.length > 0 && (
      <>
        <span className="wrap-text">
          {paths.slice(0, MAX_NAMED).join(', ')}
          {paths.length > MAX_NAMED && ` and ${paths.length - MAX_NAMED} more`}
        </span>{' '}
        {paths.length === 1 ? 'is' : 'are'} already in the storage.{' '}
      </>
    )}
    {!isComplete && 'The folder has too many files to compare all of them, so more files may be replaced. '}
    Runs that have started keep the old content.
  </>
);
