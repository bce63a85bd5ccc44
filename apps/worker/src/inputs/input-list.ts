import { type FileRef } from '@millrace/contracts/runs/files';
import { StepFailedError } from '../steps/step-failed-error.js';

/** A folder or file to make below `in/`. */
export type InputEntry =
  | { kind: 'folder'; path: string }
  | { kind: 'file'; path: string; file: Pick<FileRef, 'sha256' | 'size'> }
  | { kind: 'content'; path: string; content: Uint8Array };

/** Collects the entries of one step's `in/`. The first entry of a path wins: two inputs may name the same file of one source. */
export class InputList {
  readonly entries: InputEntry[] = [];
  private readonly paths = new Set<string>();

  /** @throws StepFailedError for a path that leads out of `in/` */
  add(entry: InputEntry): void {
    if (this.paths.has(entry.path)) return;
    check(entry.path);
    this.paths.add(entry.path);
    this.entries.push(entry);
  }
}

const FORBIDDEN = /(?:^|\/)\.{0,2}(?:\/|$)|\0/;

/** Paths come from messages and manifests. */
function check(path: string): void {
  if (FORBIDDEN.test(path))
    throw new StepFailedError(`a file cannot be an input under the name ${JSON.stringify(path)}`);
}
