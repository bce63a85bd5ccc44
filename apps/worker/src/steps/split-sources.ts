import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileRef } from '@millrace/contracts/runs/files';
import { type FinishedReport } from '@millrace/contracts/runs/report';
import { type Scope, type Step, type StepInput } from '@millrace/graph/plan/plan';
import { LineIndexer } from '@millrace/graph/run/line-indexer';
import { encodeRanges, type RangeList } from '@millrace/graph/run/range-list';
import { splitIntoBatches } from '@millrace/graph/run/split-into-batches';
import { forEachYielding } from '@millrace/service/for-each-yielding';
import { type ObjectStore } from '@millrace/storage/object-store';
import { encodeFileLines } from '../inputs/file-sets.js';
import { type TaskFiles } from '../inputs/task-files.js';
import { StepFailedError } from './step-failed-error.js';

type Split = NonNullable<FinishedReport['split']>;

/** Where and how a split works: `scratch` is a folder for the strung-together sources, `signal` ends it early. */
export interface SplitTools {
  store: ObjectStore;
  scratch: string;
  signal: AbortSignal;
}

/**
 * Does what a splitting step does, without a process: strings its files together and finds the items in them, or lists the
 * files themselves. Gives the stored items, their index, and how many there are; none is a success.
 */
export async function splitSources(step: Step, scope: Scope, files: TaskFiles, tools: SplitTools): Promise<Split> {
  const sources = (await Promise.all(step.inputs.map((input) => sourcesOf(input, files)))).flat();
  if (scope.mode === 'file') return splitByFile(sources, tools.store);
  const indexer = new LineIndexer(scope.mode);
  const items = await indexSources(sources, indexer, tools);
  const lines = indexer.end();
  return finish(items, scope.mode === 'batch' ? splitIntoBatches(lines, scope.splits ?? 1) : lines, tools.store);
}

async function sourcesOf(input: StepInput, files: TaskFiles): Promise<FileRef[]> {
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

async function splitByFile(sources: FileRef[], into: ObjectStore): Promise<Split> {
  const pieces = await encodeFileLines(sources);
  const indexer = new LineIndexer('line');
  await forEachYielding(pieces, (piece) => indexer.push(piece));
  return finish((await into.put(Buffer.concat(pieces))).sha256, indexer.end(), into);
}

/** Gives the hash of all sources strung together; a single one is stored already, and only read. */
async function indexSources(sources: FileRef[], indexer: LineIndexer, tools: SplitTools): Promise<string> {
  const [only, ...more] = sources;
  if (only && more.length === 0) {
    for await (const chunk of tools.store.read(only.sha256)) take(chunk as Buffer, indexer, tools.signal);
    return only.sha256;
  }
  const path = join(tools.scratch, randomUUID());
  const file = await open(path, 'wx');
  try {
    for (const source of sources) {
      if (indexer.hasOpenLine) await file.write(take(Buffer.from('\n'), indexer, tools.signal));
      for await (const chunk of tools.store.read(source.sha256))
        await file.writeFile(take(chunk as Buffer, indexer, tools.signal));
    }
    await file.close();
    return (await tools.store.adopt(path)).sha256;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
}

function take(chunk: Buffer, indexer: LineIndexer, signal: AbortSignal): Buffer {
  signal.throwIfAborted();
  indexer.push(chunk);
  return chunk;
}

async function finish(items: string, ranges: RangeList, into: ObjectStore): Promise<Split> {
  const index = await into.put(encodeRanges(ranges));
  return { items, index: index.sha256, count: ranges.length };
}
