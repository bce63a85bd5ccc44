import { type FileRef } from '@millrace/contracts/runs/files';
import { type ObjectStore } from '@millrace/storage/object-store';
import { StepFailure } from '../step-failure.js';
import { type Masker } from './masker.js';

/**
 * Gives each file that holds a secret value a masked copy for people; later steps get it as it is. Looks at all that a step
 * left, once, and twice at what is masked.
 * @throws StepFailure where a file's name is no name to show; the signal's reason
 */
export async function showOutputs(
  files: readonly FileRef[],
  store: ObjectStore,
  masker: Masker | null,
  signal: AbortSignal,
): Promise<FileRef[]> {
  if (masker === null) return [...files];
  const content = ({ sha256 }: FileRef) => heeding(store.read(sha256) as AsyncIterable<Buffer>, signal);
  const withCopy = async (file: FileRef) => ({
    ...file,
    shown: await store.put(masker.mask(content(file)), { signal }),
  });
  const shown: FileRef[] = [];
  for (const file of files) {
    signal.throwIfAborted();
    if (masker.text(file.path) !== file.path)
      throw new StepFailure('the name of a file in out/ holds the value of a secret variable');
    shown.push((await masker.finds(content(file))) ? await withCopy(file) : file);
  }
  return shown;
}

async function* heeding<T>(content: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  for await (const chunk of content) {
    signal.throwIfAborted();
    yield chunk;
  }
}
