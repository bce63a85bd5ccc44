import type { InputValue } from '@millrace/contracts/runs/dispatch';
import type { FileRef } from '@millrace/contracts/runs/files';
import type { Plan, Scope } from '@millrace/graph/plan/plan';
import { LineIndexer } from '@millrace/graph/run/line-indexer';
import { splitIntoBatches } from '@millrace/graph/run/range-list';
import type { ObjectStore } from '@millrace/storage/object-store';

/** Bytes that are read to count items. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Counts the items of a distribution whose files are known before the run, as the worker's split does. Null if they are not
 * known, or too large to read for an answer.
 */
export async function countItems(
  { steps }: Plan,
  scope: Scope,
  inputs: Readonly<Record<string, InputValue>>,
  store: ObjectStore,
): Promise<number | null> {
  const sources: FileRef[] = [];
  for (const { binding } of steps[scope.split]?.inputs ?? []) {
    const value = binding.from === 'primitive' ? inputs[binding.primitive] : undefined;
    if (typeof value !== 'object') return null;
    if (!('folder' in value)) sources.push(value);
    else if ('files' in value.folder) sources.push(...value.folder.files);
    else return null;
  }
  if (scope.mode === 'file') return sources.length;
  if (sources.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES) return null;
  const indexer = new LineIndexer(scope.mode);
  try {
    for (const { sha256 } of sources) {
      if (indexer.hasOpenLine) indexer.push(Buffer.from('\n'));
      for await (const chunk of store.read(sha256)) indexer.push(chunk as Buffer);
    }
  } catch {
    // The content was deleted in the meantime; the run would report it.
    return null;
  }
  const lines = indexer.end();
  return scope.mode === 'batch' ? splitIntoBatches(lines, scope.splits ?? 1).length : lines.length;
}
