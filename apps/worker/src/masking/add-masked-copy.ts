import { type FileRef } from '@millrace/contracts/runs/files';
import { type ObjectStore } from '@millrace/storage/object-store';
import { StepFailedError } from '../steps/step-failed-error.js';
import { type Masker } from './masker.js';
import { type OffsetTranslator } from './offset-translator.js';

/**
 * Adds a masked copy for users to a file that contains a secret value. Later steps get the original. Reads every file once,
 * and those with a secret twice.
 * @param translator gets the place of everything in the masked copy, if there is one
 * @throws StepFailedError if the file's name contains a secret value; the signal's reason
 */
export async function addMaskedCopy(
  file: FileRef,
  store: ObjectStore,
  masker: Masker | null,
  signal: AbortSignal,
  translator: OffsetTranslator | null = null,
): Promise<FileRef> {
  if (masker === null) return file;
  signal.throwIfAborted();
  if (masker.text(file.path) !== file.path)
    throw new StepFailedError('the name of a file in out/ contains the value of a secret variable');
  const content = () => stopOnAbort(store.read(file.sha256) as AsyncIterable<Buffer>, signal);
  if (!(await masker.finds(content()))) return file;
  return { ...file, shown: await store.put(masker.mask(content(), false, translator), { signal }) };
}

async function* stopOnAbort<T>(content: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  for await (const chunk of content) {
    signal.throwIfAborted();
    yield chunk;
  }
}
