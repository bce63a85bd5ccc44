import * as fs from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type FileRef } from '@millrace/contracts/runs/files';
import { type ObjectStore, type StoredObject } from '@millrace/storage/object-store';
import { cutText } from './cut-text.js';
import { StepFailure } from './step-failure.js';

export interface OutputBounds {
  files: number;
  /** Characters of a path below `out/`. */
  path: number;
}

export interface Collecting {
  store: ObjectStore;
  /** All files together as they read, in bytes: holes in them, and what several links lead to, count each time. */
  maxBytes: number;
  signal: AbortSignal;
  bounds?: OutputBounds;
}

const IS_ROOT = process.geteuid?.() === 0;

export const OUTPUT_BOUNDS: OutputBounds = { files: 100_000, path: 1024 };

export interface Outputs {
  /** Sorted by path, in the order of its UTF-8 bytes. */
  files: FileRef[];
  /** Links that lead out of `out/`, pipes, sockets and devices: seen and left. */
  ignored: number;
  /** Whether the folder is empty now, and as good as new. */
  emptied: boolean;
}

interface Found {
  files: string[];
  links: string[];
  ignored: number;
  /** Of all kinds. */
  entries: number;
}

/**
 * Stores what a command left in its output folder and takes it from there. No process of the command may live any more;
 * what it left is hostile all the same: no link is followed but to a regular file inside of the folder. `seenAs` is the
 * folder's path as the command saw it.
 * @throws StepFailure for what cannot be stored; the signal's reason
 */
export async function collectOutputs(folder: string, seenAs: string, tools: Collecting): Promise<Outputs> {
  const { store, signal, bounds = OUTPUT_BOUNDS } = tools;
  const entry = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (!entry) return { files: [], ignored: 0, emptied: false };
  if (!entry.isDirectory()) throw new StepFailure('out/ is not a folder any more');
  const found = await walk(folder, bounds, signal);
  const count = countBytes(tools);
  const files: FileRef[] = [];
  const known = new Map<string, StoredObject>();
  // Links first, while what they name is still there.
  for (const path of found.links) {
    const target = resolveInside(join(folder, path), folder, seenAs);
    if (target === null) {
      found.ignored += 1;
      continue;
    }
    count(target);
    const object = known.get(target) ?? (await store.put(fs.createReadStream(target), { signal }));
    known.set(target, object);
    files.push({ path, ...object });
  }
  for (const path of found.files) {
    const full = join(folder, path);
    makeReadable(full);
    count(full);
    files.push({ path, ...(await store.adopt(full, { signal })) });
  }
  const emptied = found.entries === found.files.length && (entry.mode & 0o700) === 0o700;
  return { files: files.sort(byPath), ignored: found.ignored, emptied };
}

/** Before a file is read: a hole of terabytes takes no disk, and hours to hash. */
function countBytes({ maxBytes, signal }: Collecting): (path: string) => void {
  let bytes = 0;
  return (path) => {
    signal.throwIfAborted();
    bytes += fs.lstatSync(path).size;
    if (bytes > maxBytes) throw new StepFailure(`out/ holds more than ${maxBytes} bytes`);
  };
}

async function walk(folder: string, bounds: OutputBounds, signal: AbortSignal): Promise<Found> {
  const found: Found = { files: [], links: [], ignored: 0, entries: 0 };
  const folders = [''];
  for (let below = folders.pop(); below !== undefined; below = folders.pop()) {
    for (const entry of entriesOf(join(folder, below))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      check(path, bounds);
      found.entries += 1;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) found.files.push(path);
      else if (entry.isSymbolicLink()) found.links.push(path);
      else found.ignored += 1;
    }
    if (found.files.length + found.links.length > bounds.files)
      throw new StepFailure(`out/ holds more than ${bounds.files} files`);
    if (folders.length > 0) await nextTurn();
    signal.throwIfAborted();
  }
  return found;
}

function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isCode(error, 'ENAMETOOLONG')) throw new StepFailure('a path in out/ is too long');
    if (!isCode(error, 'EACCES')) throw error;
    fs.chmodSync(folder, 0o700);
    return fs.readdirSync(folder, { withFileTypes: true });
  }
}

function check(path: string, bounds: OutputBounds): void {
  if (path.length > bounds.path)
    throw new StepFailure(`out/ holds a path longer than ${bounds.path} characters: ${cutText(path, 100)}…`);
  // What is not UTF-8 decodes to U+FFFD, and then names no file.
  if (path.includes('\uFFFD')) throw new StepFailure(`out/ holds a name that is not UTF-8: ${JSON.stringify(path)}`);
}

/** The regular file that a link leads to, or null where it leads elsewhere or nowhere. */
function resolveInside(link: string, folder: string, seenAs: string): string | null {
  try {
    const written = fs.readlinkSync(link);
    const start = written.startsWith(`${seenAs}/`) ? join(folder, written.slice(seenAs.length)) : link;
    const target = fs.realpathSync(start);
    const inside = target.startsWith(`${fs.realpathSync(folder)}/`);
    return inside && fs.lstatSync(target).isFile() ? target : null;
  } catch {
    return null;
  }
}

/** A command may take its own files' permissions away; only root reads them all the same. */
function makeReadable(path: string): void {
  if (!IS_ROOT) fs.chmodSync(path, 0o600);
}

const isCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException).code === code;

const byPath = (a: FileRef, b: FileRef): number =>
  isAscii(a.path) && isAscii(b.path) ? compareText(a.path, b.path) : compareBytes(a.path, b.path);
const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
