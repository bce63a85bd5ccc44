import * as fs from 'node:fs';
import { join } from 'node:path';
import { type FileRef } from '@millrace/contracts/runs/files';
import { TimeSlice } from '@millrace/service/loops/time-slice';
import { type ObjectStore, type StoredObject } from '@millrace/storage/object-store';
import { StepFailedError } from '../steps/step-failed-error.js';
import { scanOutputs, type OutputScan, type ScanOptions } from './scan-outputs.js';

export interface CollectOptions extends ScanOptions {
  store: ObjectStore;
}

export interface Outputs {
  /** Sorted by path, in the order of its UTF-8 bytes. */
  files: FileRef[];
  /** Number of links that lead out of `out/`, pipes, sockets and devices, which are not stored. */
  ignored: number;
  /** Whether the folder is empty now and can be used again. */
  emptied: boolean;
}

const IS_ROOT = process.geteuid?.() === 0;

/**
 * Moves the contents of a command's output folder into the store. Call it only when all processes of the command have
 * ended. The contents are untrusted: a link is followed only to a regular file inside the folder. `commandPath` is the
 * folder's path as the command saw it.
 * @returns null if there is more than `abandonAbove`; nothing is stored then
 * @throws StepFailedError for outputs that cannot be stored, before any is stored; the signal's reason
 */
export function collectOutputs(
  folder: string,
  commandPath: string,
  tools: Omit<CollectOptions, 'abandonAbove'> & { abandonAbove?: never },
): Promise<Outputs>;
export function collectOutputs(folder: string, commandPath: string, tools: CollectOptions): Promise<Outputs | null>;
export async function collectOutputs(
  folder: string,
  commandPath: string,
  tools: CollectOptions,
): Promise<Outputs | null> {
  const entry = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (!entry) return { files: [], ignored: 0, emptied: false };
  if (!entry.isDirectory()) throw new StepFailedError('out/ is no longer a folder');
  const scan = await scanOutputs(folder, commandPath, tools);
  if (!scan) return null;
  const files = await storeScannedFiles(folder, scan, tools);
  const emptied = scan.isFlat && (entry.mode & 0o700) === 0o700;
  return { files: files.sort(byPath), ignored: scan.ignored, emptied };
}

async function storeScannedFiles(
  folder: string,
  scan: OutputScan,
  { store, signal }: CollectOptions,
): Promise<FileRef[]> {
  const files: FileRef[] = [];
  const slice = new TimeSlice();
  const pause = async () => {
    if (slice.isOver) await slice.yieldToEventLoop();
    signal.throwIfAborted();
  };
  const adopted = new Map<string, StoredObject>();
  // Links first, because storing a file removes it from the folder.
  for (const { path, target } of scan.links) {
    await pause();
    makeReadable(target);
    const object = adopted.get(target) ?? (await store.adopt(target, { signal, keep: true }));
    adopted.set(target, object);
    files.push({ path, ...object });
  }
  for (const { path } of scan.files) {
    await pause();
    const full = join(folder, path);
    makeReadable(full);
    files.push({ path, ...(await store.adopt(full, { signal })) });
  }
  return files;
}

/** A command can remove the permissions of its own files; only root can read them nevertheless. */
function makeReadable(path: string): void {
  if (!IS_ROOT) fs.chmodSync(path, 0o600);
}

const byPath = (a: FileRef, b: FileRef): number =>
  isAscii(a.path) && isAscii(b.path) ? compareText(a.path, b.path) : compareBytes(a.path, b.path);
const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
