import { type FileRef } from '@millrace/contracts/runs/files';
import { type ObjectStore } from '@millrace/storage/object-store';
import { StepFailure } from '../step-failure.js';
import { type Masker } from './masker.js';

/**
 * Gives each file that holds a secret value a masked copy for people; later steps get it as it is. Looks at all that a step
 * left, once, and twice at what is masked. @throws StepFailure where a file's name is no name to show
 */
export async function showOutputs(
  files: readonly FileRef[],
  store: ObjectStore,
  masker: Masker | null,
): Promise<FileRef[]> {
  if (masker === null) return [...files];
  const shown: FileRef[] = [];
  for (const file of files) {
    if (masker.text(file.path) !== file.path)
      throw new StepFailure('the name of a file in out/ holds the value of a secret variable');
    shown.push((await masker.finds(store.read(file.sha256))) ? await withCopy(file, store, masker) : file);
  }
  return shown;
}

async function withCopy(file: FileRef, store: ObjectStore, masker: Masker): Promise<FileRef> {
  return { ...file, shown: await store.put(masker.mask(store.read(file.sha256))) };
}
