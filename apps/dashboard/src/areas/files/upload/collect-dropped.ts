import type { UploadItem } from './upload-queue.js';

/**
 * The files of a drop, those in its folders included, with paths relative to what was dropped. It must be called while the drop
 * event is handled: the browser forgets the entries afterwards.
 */
export async function collectDropped(transfer: DataTransfer): Promise<UploadItem[]> {
  const dropped = [...transfer.items].filter(({ kind }) => kind === 'file');
  const entries = dropped.flatMap((item) => item.webkitGetAsEntry() ?? []);
  // Files that are not on a disk, such as images of another page, have no entries.
  const items = entries.length > 0 ? [] : collectChosen(transfer.files);
  for (const entry of entries) await collectEntry(entry, '', items);
  return items.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function collectEntry(entry: FileSystemEntry, folder: string, items: UploadItem[]): Promise<void> {
  const path = `${folder}${entry.name}`;
  if (isFile(entry)) {
    const content = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    items.push({ path, content });
  } else if (isFolder(entry)) {
    const reader = entry.createReader();
    // A call returns at most 100 entries.
    for (;;) {
      const children = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (children.length === 0) return;
      for (const child of children) await collectEntry(child, `${path}/`, items);
    }
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** The files of a file input, with the paths of a chosen folder. */
export const collectChosen = (list: FileList): UploadItem[] =>
  [...list].map((file) => ({ path: file.webkitRelativePath || file.name, content: file }));
