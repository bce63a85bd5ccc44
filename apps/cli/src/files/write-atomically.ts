import { randomUUID } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { chmod, mkdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isSystemError } from '../describe-system-error.js';
import { handlesInterrupts } from '../watch/stop-on-interrupt.js';

type Content = string | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>;

/**
 * Writes a file under a temporary name in the same folder, and renames it when it is complete. So the file never has half of
 * its content, and keeps its earlier content if something fails. Creates missing folders. A device or a pipe, such as
 * `/dev/stdout`, is written directly.
 */
export async function writeAtomically(file: string, content: Content): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const existing = await stat(target).catch(() => null);
  try {
    if (existing?.isDirectory()) throw systemError('EISDIR', file);
    if (existing && !existing.isFile()) return await pipeline(toReadable(content), createWriteStream(target));
    await mkdir(dirname(target), { recursive: true });
    await writeDraft(target, content, existing?.mode);
  } catch (error) {
    // The errors of the temporary name, and of a write without a name, are about this file.
    if (isSystemError(error) && isAboutFile(error, target)) Object.assign(error, { path: file, dest: undefined });
    throw error;
  }
}

async function writeDraft(target: string, content: Content, mode: number | undefined): Promise<void> {
  const draft = join(dirname(target), `.${basename(target).slice(0, 100)}.${randomUUID()}${DRAFT_SUFFIX}`);
  const forget = removeOnExit(draft);
  try {
    await pipeline(toReadable(content), createWriteStream(draft, { flags: 'wx' }));
    if (mode !== undefined) await chmod(draft, mode);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    forget();
  }
}

export const DRAFT_SUFFIX = '.part';

function toReadable(content: Content): Readable {
  if (typeof content === 'string' || content instanceof Uint8Array) return Readable.from([Buffer.from(content)]);
  return Readable.from(content);
}

const drafts = new Set<string>();
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Removes a file if this process ends before the returned function is called. */
function removeOnExit(draft: string): () => void {
  if (drafts.size === 0) listen('on');
  drafts.add(draft);
  return () => {
    drafts.delete(draft);
    if (drafts.size === 0) listen('off');
  };
}

function listen(method: 'on' | 'off'): void {
  process[method]('exit', removeDrafts);
  for (const signal of Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]) process[method](signal, exitBySignal);
}

function removeDrafts(): void {
  for (const draft of drafts) rmSync(draft, { force: true });
}

/**
 * If the command handles Ctrl-C itself, such as by stopping a run, it also chooses when the process ends. Other packages have
 * signal handlers, too, and leave the end of the process to this one.
 */
function exitBySignal(signal: keyof typeof SIGNALS): void {
  if (signal === 'SIGHUP' || !handlesInterrupts()) process.exit(SIGNALS[signal]);
}

function isAboutFile({ path, dest }: NodeJS.ErrnoException & { dest?: string }, target: string): boolean {
  return path === undefined || dest === target || path.endsWith(DRAFT_SUFFIX);
}

const systemError = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: ${path}`), { code, path, syscall: 'open' });
