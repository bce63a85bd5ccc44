import * as fs from 'node:fs';
import { join } from 'node:path';
import { TimeSlice } from '@millrace/service/loops/time-slice';
import { cutText } from '../steps/cut-text.js';
import { StepFailedError } from '../steps/step-failed-error.js';

export interface OutputLimits {
  files: number;
  /** Characters of a path below `out/`. */
  path: number;
}

export const OUTPUT_LIMITS: OutputLimits = { files: 100_000, path: 1024 };

/** Paths are relative to the folder, sizes in bytes. */
export interface OutputScan {
  files: { path: string; size: number }[];
  /** Links to a regular file inside the folder; `target` is its absolute path. */
  links: { path: string; target: string; size: number }[];
  /** Links that lead elsewhere, pipes, sockets and devices. */
  ignored: number;
  /** Whether the folder contains only files, so that it can be used again once they are stored. */
  isFlat: boolean;
}

export interface ScanOptions {
  /** Maximum size of all files together. Holes count, and the target of several links counts for each. */
  maxBytes: number;
  signal: AbortSignal;
  bounds?: OutputLimits;
  /** The scan ends with null as soon as it finds more. */
  abandonAbove?: { entries: number; bytes: number };
}

/**
 * Lists the contents of a command's output folder with their sizes, before a byte of them is read: a hole of terabytes uses no
 * disk, but takes hours to hash. All processes of the command must have ended. The contents are untrusted nevertheless.
 * @throws StepFailedError for outputs that cannot be stored; the signal's reason
 */
export async function scanOutputs(
  folder: string,
  commandPath: string,
  options: ScanOptions,
): Promise<OutputScan | null> {
  return new OutputWalk(folder, commandPath, options).walk();
}

class OutputWalk {
  private readonly scan: OutputScan = { files: [], links: [], ignored: 0, isFlat: true };
  private readonly slice = new TimeSlice();
  private readonly links: string[] = [];
  private entries = 0;
  private bytes = 0;

  constructor(
    private readonly folder: string,
    private readonly commandPath: string,
    private readonly options: ScanOptions,
  ) {}

  async walk(): Promise<OutputScan | null> {
    const { abandonAbove } = this.options;
    const folders = [''];
    for (let below = folders.pop(); below !== undefined; below = folders.pop()) {
      using directory = openFolder(join(this.folder, below));
      for (let entry = directory.readSync(); entry; entry = directory.readSync()) {
        const path = below === '' ? entry.name : `${below}/${entry.name}`;
        await this.add(path, entry);
        if (entry.isDirectory()) folders.push(path);
        if (abandonAbove && (this.entries > abandonAbove.entries || this.bytes > abandonAbove.bytes)) return null;
      }
    }
    for (const path of this.links) await this.follow(path);
    return abandonAbove && this.bytes > abandonAbove.bytes ? null : this.scan;
  }

  private async add(path: string, entry: fs.Dirent): Promise<void> {
    const { bounds = OUTPUT_LIMITS } = this.options;
    await this.pause();
    check(path, bounds);
    this.entries += 1;
    if (!entry.isFile()) this.scan.isFlat = false;
    if (entry.isFile()) this.scan.files.push({ path, size: this.count(join(this.folder, path)) });
    else if (entry.isSymbolicLink()) this.links.push(path);
    else if (!entry.isDirectory()) this.scan.ignored += 1;
    if (this.scan.files.length + this.links.length > bounds.files)
      throw new StepFailedError(`out/ contains more than ${bounds.files} files`);
  }

  private async follow(path: string): Promise<void> {
    await this.pause();
    const target = resolveInside(join(this.folder, path), this.folder, this.commandPath);
    if (target === null) this.scan.ignored += 1;
    else this.scan.links.push({ path, target, size: this.count(target) });
  }

  private count(path: string): number {
    const { maxBytes } = this.options;
    const { size } = fs.lstatSync(path);
    this.bytes += size;
    if (this.bytes > maxBytes) throw new StepFailedError(`out/ contains more than ${maxBytes} bytes`);
    return size;
  }

  private async pause(): Promise<void> {
    if (this.slice.isOver) await this.slice.yieldToEventLoop();
    this.options.signal.throwIfAborted();
  }
}

function openFolder(folder: string): fs.Dir {
  try {
    return fs.opendirSync(folder);
  } catch (error) {
    if (isCode(error, 'ENAMETOOLONG')) throw new StepFailedError('a path in out/ is too long');
    if (!isCode(error, 'EACCES')) throw error;
    fs.chmodSync(folder, 0o700);
    return fs.opendirSync(folder);
  }
}

function check(path: string, bounds: OutputLimits): void {
  if (path.length > bounds.path)
    throw new StepFailedError(`out/ contains a path longer than ${bounds.path} characters: ${cutText(path, 100)}…`);
  // A name that is not UTF-8 decodes to U+FFFD, and then names no file.
  if (path.includes('\uFFFD'))
    throw new StepFailedError(`out/ contains a name that is not UTF-8: ${JSON.stringify(path)}`);
}

/** The regular file that a link leads to, or null if it leads elsewhere or nowhere. */
function resolveInside(link: string, folder: string, commandPath: string): string | null {
  try {
    const written = fs.readlinkSync(link);
    const start = written.startsWith(`${commandPath}/`) ? join(folder, written.slice(commandPath.length)) : link;
    const target = fs.realpathSync(start);
    const inside = target.startsWith(`${fs.realpathSync(folder)}/`);
    return inside && fs.lstatSync(target).isFile() ? target : null;
  } catch {
    return null;
  }
}

const isCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException).code === code;
