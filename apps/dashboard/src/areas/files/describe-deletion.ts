import type { File as StoredFile, Folder } from '@millrace/client';
import { formatBytes } from '../../text/format-bytes.js';
import { countOf } from '../../text/format-count.js';

/** A file or a folder of the storage. */
export type StorageEntry = { kind: 'file'; entry: StoredFile } | { kind: 'folder'; entry: Folder };

interface Question {
  title: string;
  description: string;
  /** What the user must type, because a folder may contain more than the page shows. */
  typedName?: string;
}

/** What a user should know before something is deleted. */
export function describeDeletion(targets: readonly StorageEntry[]): Question {
  const [only] = targets;
  if (targets.length === 1 && only?.kind === 'folder')
    return {
      title: `Delete the folder “${only.entry.name}” with everything in it?`,
      description:
        'All its files and folders are deleted and cannot be restored. Runs that have started keep the content of their inputs.',
      typedName: only.entry.name,
    };
  if (targets.length === 1 && only?.kind === 'file')
    return {
      title: `Delete the file “${only.entry.name}”?`,
      description: `${formatBytes(only.entry.size)}. It cannot be restored. Runs that have started keep its content.`,
    };
  const files = targets.flatMap(({ kind, entry }) => (kind === 'file' ? [entry] : []));
  const folders = targets.length - files.length;
  const size = formatBytes(files.reduce((sum, file) => sum + file.size, 0));
  const parts = [
    ...(folders > 0 ? [countOf(folders, 'folder')] : []),
    ...(files.length > 0 ? [countOf(files.length, 'file')] : []),
  ];
  return {
    title: `Delete ${parts.join(' and ')}?`,
    description:
      `${files.length > 0 ? `The files have ${size}. ` : ''}${folders > 0 ? 'Folders are deleted with everything in them. ' : ''}` +
      'Nothing can be restored. Runs that have started keep the content of their inputs.',
    ...(folders > 0 && { typedName: 'delete' }),
  };
}

/** Files first: a selected file may be in a selected folder, if the list is one of a search. */
export const compareForDeletion = (one: StorageEntry, other: StorageEntry): number =>
  Number(one.kind === 'folder') - Number(other.kind === 'folder');
