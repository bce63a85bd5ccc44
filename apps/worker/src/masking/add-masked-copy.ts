import { type FileRef } from '@millrace/contracts/runs/files';
import { type ObjectStore } from '@millrace/storage/object-store';
import { StepFailedError } from '../steps/step-failed-error.js';
import { type Masker } from './masker.js';

/**
 * Gives a file that holds a secret value a masked copy for people; later steps get it as it is. Looks at all that a step
 * left, once, and twice at what is masked.
 * @throws StepFailedError where a file's name is no name to show; the signal's reason
 */
export async function addMaskedCopy(
  file: FileRef,
  store: ObjectStore,
  masker: Masker | null,
  signal: AbortSignal,
): Promise<FileRef> {
  if (masker === null) return file;
  signal.throwIfAborted();
  if (masker.text(file.path) !== file.path)
    throw new StepFailedError('the name of a file in out/ contains the value of a secret variable');
  const content = () => heeding(store.read(file.sha256) as AsyncIterable<Buffer>, signal);
  if (!(await masker.finds(content()))) return file;
  return { ...file, shown: await store.put(masker.mask(content()), { signal }) };
}

async function* heeding<T>(content: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  for await (const chunk of content) {
    signal.throwIfAborted();
    yield chunk;
  }
}
