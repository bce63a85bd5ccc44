import { type FileRef, type FileSet, fileRef } from '@millrace/contracts/runs/files';
import { forEachYielding } from '@millrace/service/loops/time-slice';
import { linesOf } from '@millrace/service/text/lines-of';
import type { ObjectStore } from '@millrace/storage/object-store';

/** Files in order. It can be iterated several times. */
export interface FileList extends Iterable<FileRef> {
  readonly length: number;
}

/**
 * The files of a manifest. Each iteration reads them from its text: the text of 100,000 takes 15 MB outside of the heap, and their
 * objects take several times as much.
 */
class ManifestFiles implements FileList {
  /** @param isIncluded chooses files by their paths */
  constructor(
    private readonly content: Buffer,
    readonly length: number,
    private readonly isIncluded: (path: string) => boolean,
  ) {}

  *[Symbol.iterator](): Generator<FileRef> {
    for (const line of linesOf(this.content)) {
      const { path, sha256, size, shown } = JSON.parse(line) as FileRef;
      if (this.isIncluded(path)) yield { path, sha256, size, ...(shown && { shown }) };
    }
  }
}

/** Lists the files of a set whose path is included. @throws if the manifest is not valid */
export async function listFiles(
  set: FileSet,
  store: ObjectStore,
  isIncluded: (path: string) => boolean = () => true,
): Promise<FileList> {
  if ('files' in set) return set.files.filter(({ path }) => isIncluded(path));
  const content = await store.readAll(set.manifest);
  let length = 0;
  await forEachYielding(linesOf(content), (line) => {
    if (isIncluded(fileRef.parse(JSON.parse(line)).path)) length++;
  });
  return new ManifestFiles(content, length, isIncluded);
}
