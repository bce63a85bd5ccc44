import * as fs from 'node:fs';
import { type Limits } from '@millrace/isolation/limits/limits';
import { type CommandExit } from '@millrace/isolation/slot/command';
import { openRegular } from '@millrace/storage/open-regular';
import { type Masker } from '../masking/masker.js';
import { cutText } from './cut-text.js';
import { describeMissingProgram } from './describe-missing-program.js';

const TAIL_BYTES = 4096;
const MESSAGE_CHARACTERS = 300;
const MARGIN = 8;

/** How a command failed, in a line for its user; null where it did not. `memoryBytes` is what it was allowed. */
export function describeExit(
  exit: CommandExit,
  lastWords: () => string,
  limits: Limits,
  memoryBytes: number,
): string | null {
  if (exit.killReason !== null) return describeBreach(exit, limits, memoryBytes);
  if (exit.code === 0) return null;
  const last = lastWords();
  const missing = exit.code === 127 ? describeMissingProgram(last) : null;
  if (missing !== null) return cutText(`exit code 127: ${missing}`, MESSAGE_CHARACTERS);
  const how = exit.signal === null ? `exit code ${exit.code ?? '?'}` : `ended by ${exit.signal}`;
  return cutText(last === '' ? how : `${how}: ${last}`, MESSAGE_CHARACTERS);
}

function describeBreach(exit: CommandExit, limits: Limits, memoryBytes: number): string {
  switch (exit.killReason) {
    case 'memory':
      return `out of memory: the step used more than ${spell(memoryBytes)}`;
    case 'fileSize':
      return `wrote a file larger than ${spell(limits.fileBytes)}`;
    case 'disk':
      return `wrote more than ${spell(limits.diskBytes)} in all`;
    case 'files':
      return `made more than ${limits.diskEntries} files and folders, or a folder that the worker cannot read`;
    default:
      return 'the sandbox ended before the step did';
  }
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

function spell(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${UNITS[power] ?? ''}`;
}

/** The last line with something in it, of a file that may hold anything, and may have been `cut` in a value. */
export function lastLine(path: string, masker: Masker | null, cut = false): string {
  const lines = (masker ? maskedTail(path, masker, cut) : readTail(path, TAIL_BYTES)).toString('utf8').split(/[\r\n]+/);
  const clean = lines.map((line) => line.replace(/[\u0000-\u001f\u007f-\u009f\ufffd]+/g, ' ').trim());
  return clean.findLast((line) => line !== '') ?? '';
}

/**
 * What lies before the tail is looked at too: a value that begins there must not show its end. Eight times the longest is
 * read, for it may begin within a value, end in what is held until the tail comes, and have three blanks after each byte.
 */
function maskedTail(path: string, masker: Masker, cut: boolean): Buffer {
  const before = MARGIN * masker.longest;
  const bytes = readTail(path, TAIL_BYTES + before);
  const stream = masker.stream();
  const isWhole = bytes.length < TAIL_BYTES + before;
  const head = stream.push(bytes.subarray(0, before));
  return Buffer.concat([...(isWhole ? [head] : []), stream.push(bytes.subarray(before)), stream.end(cut)]);
}

function readTail(path: string, most: number): Buffer {
  try {
    const { descriptor, size } = openRegular(path);
    try {
      const tail = Buffer.alloc(Math.min(size, most));
      return tail.subarray(0, fs.readSync(descriptor, tail, 0, tail.length, size - tail.length));
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return Buffer.alloc(0);
  }
}
