import * as fs from 'node:fs';
import type { Limits } from '@millrace/isolation/limits/limits';
import type { CommandExit } from '@millrace/isolation/slot/running-command';
import { openRegular } from '@millrace/storage/disk/open-regular';
import type { Masker } from '../masking/masker.js';
import { cutText } from './cut-text.js';

const TAIL_BYTES = 4096;
const MAX_MESSAGE_CHARACTERS = 300;
const MARGIN_FACTOR = 8;

export interface ExitContext {
  limits: Limits;
  /** Memory limit of the command. */
  memoryBytes: number;
  /** Image that it ran in; null without a container. */
  image: string | null;
}

/** Describes for the user how a command failed, in one line; null if it succeeded. */
export function describeExit(exit: CommandExit, readLast: () => string, context: ExitContext): string | null {
  if (exit.killReason !== null) return describeBreach(exit, context);
  if (exit.code === 0) return null;
  const last = readLast();
  const missing = exit.code === 127 ? describeMissingProgram(last, context.image) : null;
  if (missing !== null) return cutText(`exit code 127: ${missing}`, MAX_MESSAGE_CHARACTERS);
  const ending = exit.signal === null ? `exit code ${exit.code ?? '?'}` : `ended by ${exit.signal}`;
  return cutText(last === '' ? ending : `${ending}: ${last}`, MAX_MESSAGE_CHARACTERS);
}

function describeBreach(exit: CommandExit, { limits, memoryBytes, image }: ExitContext): string {
  switch (exit.killReason) {
    case 'memory':
      return `out of memory: the step used more than ${formatBytes(memoryBytes)}`;
    case 'fileSize':
      return `wrote a file larger than ${formatBytes(limits.fileBytes)}`;
    case 'disk':
      return `wrote more than ${formatBytes(limits.diskBytes)} in all`;
    case 'files':
      return `made more than ${limits.diskEntries} files and folders, or a folder that the worker cannot read`;
    default:
      return `the ${image === null ? 'sandbox' : 'container'} ended before the step did`;
  }
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

function formatBytes(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${UNITS[power] ?? ''}`;
}

/** The last line with visible text, of a file with any content. @param cut whether the file may end within a secret value */
export function readLastLine(path: string, masker: Masker | null, cut = false): string {
  const lines = (masker ? maskedTail(path, masker, cut) : readTail(path, TAIL_BYTES)).toString('utf8').split(/[\r\n]+/);
  const clean = lines.map((line) => line.replace(/[\u0000-\u001f\u007f-\u009f\ufffd]+/g, ' ').trim());
  return clean.findLast((line) => line !== '') ?? '';
}

/**
 * Also reads before the tail, because a value that begins there must not show its end. It reads eight times the longest
 * spelling: the first bytes may be within a value, the last ones wait for the tail, and each byte may have three blanks after it.
 */
function maskedTail(path: string, masker: Masker, cut: boolean): Buffer {
  const before = MARGIN_FACTOR * masker.maxBytes;
  const bytes = readTail(path, TAIL_BYTES + before);
  const stream = masker.stream();
  const isWhole = bytes.length < TAIL_BYTES + before;
  const head = stream.push(bytes.subarray(0, before));
  return Buffer.concat([...(isWhole ? [head] : []), stream.push(bytes.subarray(before)), stream.end(cut)]);
}

function readTail(path: string, maxBytes: number): Buffer {
  try {
    const { descriptor, size } = openRegular(path);
    try {
      const tail = Buffer.alloc(Math.min(size, maxBytes));
      return tail.subarray(0, fs.readSync(descriptor, tail, 0, tail.length, size - tail.length));
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return Buffer.alloc(0);
  }
}

/** Debian packages of programs that steps are likely to run. Most packages have the name of the program. */
const PACKAGES = new Map([
  ...['curl', 'file', 'git', 'jq', 'nmap', 'openssl', 'perl', 'python3', 'rsync', 'sqlite3'].map(sameName),
  ...['unzip', 'wget', 'whois', 'zip'].map(sameName),
  ['awk', 'mawk'],
  ['dig', 'bind9-dnsutils'],
  ['go', 'golang-go'],
  ['xmllint', 'libxml2-utils'],
]);

function sameName(name: string): [string, string] {
  return [name, name];
}

/** Messages of the runner, bash, env and xargs for a missing program, with status 127. */
const MESSAGE_FORMS = [
  /^cannot run (\S+): No such file or directory$/,
  /: ([^\s:]+): command not found$/,
  /^env: [‘'](.+)[’']: No such file or directory$/,
  /^xargs: (\S+): No such file or directory$/,
];

/**
 * Explains exit code 127 from the last line of standard error: names the missing program, and its package or the image that
 * lacks it. Returns null if that line is not about a missing program.
 */
export function describeMissingProgram(line: string, image: string | null): string | null {
  const program = MESSAGE_FORMS.map((pattern) => pattern.exec(line)?.[1]).find((name) => name !== undefined);
  if (program === undefined) return null;
  if (image !== null) return `${program} is not in the image ${image}`;
  const packageName = PACKAGES.get(program);
  const advice = packageName === undefined ? '' : ` (apt-get install ${packageName})`;
  return `${program} is not installed on this worker${advice}`;
}
