import { type FileRef } from '@millrace/contracts/runs/files';
import { forEachYielding } from '@millrace/service/loops/time-slice';
import { StepFailedError } from '../steps/step-failed-error.js';
import { type FileList } from './file-list.js';

/** A folder or file to make below `in/`. */
export type InputEntry =
  | { kind: 'folder'; path: string }
  | { kind: 'file'; path: string; file: Pick<FileRef, 'sha256' | 'size'> }
  | { kind: 'content'; path: string; content: Uint8Array };

/** The content of `in/`, each path once, a folder before its content. `length` is the number of entries, or a little more. */
export type InputEntries = Iterable<InputEntry> & { readonly length: number };

/** The files of a folder. */
interface FolderFiles {
  folder: string;
  files: FileList;
}

/** Lists with more files are read again for each iteration, instead of keeping an object for each file. */
const MAX_KEPT_FILES = 2_000;

/** Collects the entries of one step's `in/`. The first entry of a path wins: two inputs may name the same file of one source. */
export class InputList implements InputEntries {
  length = 0;
  private readonly parts: (InputEntry | FolderFiles)[] = [];
  private readonly paths = new Set<string>();
  private readonly longLists: FolderFiles[] = [];
  /** Files of a long list may also be in another part. */
  private mayRepeat = false;

  /** @throws StepFailedError for a path that leads out of `in/` */
  add(entry: InputEntry): void {
    if (this.paths.has(entry.path)) return;
    check(entry.path);
    this.paths.add(entry.path);
    this.parts.push(entry);
    this.length++;
    this.mayRepeat ||= this.longLists.some(({ folder }) => entry.path.startsWith(`${folder}/`));
  }

  /** @throws StepFailedError for a path that leads out of `in/` */
  async addFiles(folder: string, files: FileList): Promise<void> {
    if (files.length <= MAX_KEPT_FILES) {
      await forEachYielding(files, (file) => this.add(toEntry(folder, file)));
      return;
    }
    if (this.longLists.some((list) => list.folder === folder && list.files === files)) return;
    await forEachYielding(files, ({ path }) => check(`${folder}/${path}`));
    this.mayRepeat ||= this.overlaps(folder);
    const list = { folder, files };
    this.longLists.push(list);
    this.parts.push(list);
    this.length += files.length;
  }

  *[Symbol.iterator](): Generator<InputEntry> {
    const seen = this.mayRepeat ? new Set<string>() : null;
    for (const entry of this.all()) {
      if (seen?.has(entry.path)) continue;
      seen?.add(entry.path);
      yield entry;
    }
  }

  private *all(): Generator<InputEntry> {
    for (const part of this.parts) {
      if ('kind' in part) yield part;
      else for (const file of part.files) yield toEntry(part.folder, file);
    }
  }

  /** Another part may have paths below the folder. */
  private overlaps(folder: string): boolean {
    const isBelow = (path: string, other: string) => path.startsWith(`${other}/`);
    if ([...this.paths].some((path) => isBelow(path, folder))) return true;
    return this.longLists.some(
      (list) => list.folder === folder || isBelow(list.folder, folder) || isBelow(folder, list.folder),
    );
  }
}

const toEntry = (folder: string, file: FileRef): InputEntry => ({ kind: 'file', path: `${folder}/${file.path}`, file });

const FORBIDDEN = /(?:^|\/)\.{0,2}(?:\/|$)|\0/;

/** Paths come from messages and manifests. */
function check(path: string): void {
  if (FORBIDDEN.test(path))
    throw new StepFailedError(`a file cannot be an input under the name ${JSON.stringify(path)}`);
}
