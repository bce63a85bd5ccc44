import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileRef } from '@millrace/contracts/runs/files';
import type { FinishedReport } from '@millrace/contracts/runs/report';
import type { Scope, Step, StepInput } from '@millrace/graph/plan/plan';
import { LineIndexer } from '@millrace/graph/run/line-indexer';
import { type RangeList, encodeRanges, splitIntoBatches } from '@millrace/graph/run/range-list';
import { forEachYielding } from '@millrace/service/loops/time-slice';
import type { ObjectStore } from '@millrace/storage/object-store';
import type { FileList } from '../inputs/file-list.js';
import { encodeFileLines } from '../inputs/file-sets.js';
import type { TaskFiles } from '../inputs/task-files.js';
import { StepFailedError } from './step-failed-error.js';

type Split = NonNullable<FinishedReport['split']>;

/** @property scratch folder for the concatenated sources @property signal stops the split early */
export interface SplitTools {
  store: ObjectStore;
  scratch: string;
  signal: AbortSignal;
}

/**
 * Runs a splitting step, without a process: concatenates its files and finds the items in them, or lists the files. Returns
 * the stored items, their index and their number. No items is a success.
 */
export async function splitSources(step: Step, scope: Scope, files: TaskFiles, tools: SplitTools): Promise<Split> {
  const sources = (await Promise.all(step.inputs.map((input) => sourcesOf(input, files)))).flatMap((list) => [...list]);
  if (scope.mode === 'file') return splitByFile(sources, tools.store);
  const indexer = new LineIndexer(scope.mode);
  const items = await indexSources(sources, indexer, tools);
  const lines = indexer.end();
  return storeIndex(items, scope.mode === 'batch' ? splitIntoBatches(lines, scope.splits ?? 1) : lines, tools.store);
}

async function sourcesOf(input: StepInput, files: TaskFiles): Promise<FileList> {
  const { binding } = input;
  if (binding.from === 'step') {
    const found = await files.of(binding);
    if (found.length > 0 || input.type === 'FOLDER') return found;
    throw new StepFailedError(`input ${input.param}: "${input.source ?? '?'}" wrote no out/output.txt`);
  }
  const value = binding.from === 'primitive' ? files.primitive(binding.primitive) : undefined;
  if (typeof value === 'object') return 'folder' in value ? files.ofFolder(value) : [value];
  throw new StepFailedError(`input ${input.param}: there is no file to split`);
}

async function splitByFile(sources: FileRef[], store: ObjectStore): Promise<Split> {
  const pieces = await encodeFileLines(sources);
  const indexer = new LineIndexer('line');
  await forEachYielding(pieces, (piece) => indexer.push(piece));
  return storeIndex((await store.put(Buffer.concat(pieces))).sha256, indexer.end(), store);
}

/** Returns the hash of all sources concatenated. A single source is already stored, so it is only read. */
async function indexSources(sources: FileRef[], indexer: LineIndexer, tools: SplitTools): Promise<string> {
  const [only, ...more] = sources;
  if (only && more.length === 0) {
    for await (const chunk of tools.store.read(only.sha256)) index(chunk as Buffer, indexer, tools.signal);
    return only.sha256;
  }
  const path = join(tools.scratch, randomUUID());
  const file = await open(path, 'wx');
  try {
    for (const source of sources) {
      if (indexer.hasOpenLine) await file.write(index(Buffer.from('\n'), indexer, tools.signal));
      for await (const chunk of tools.store.read(source.sha256))
        await file.writeFile(index(chunk as Buffer, indexer, tools.signal));
    }
    await file.close();
    return (await tools.store.adopt(path)).sha256;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
}

function index(chunk: Buffer, indexer: LineIndexer, signal: AbortSignal): Buffer {
  signal.throwIfAborted();
  indexer.push(chunk);
  return chunk;
}

async function storeIndex(items: string, ranges: RangeList, store: ObjectStore): Promise<Split> {
  const index = await store.put(encodeRanges(ranges));
  return { items, index: index.sha256, count: ranges.length };
}
