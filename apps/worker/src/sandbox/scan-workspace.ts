import * as fs from 'node:fs';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { SANDBOX_SESSION_LIMITS } from '@millrace/contracts/runs/sandbox';

/** The workspace cannot be stored after a command. The message is for the user. */
export class WorkspaceError extends Error {
  override name = 'WorkspaceError';
}

export interface FoundEntry {
  path: string;
  kind: 'file' | 'folder' | 'link';
  stats: fs.BigIntStats;
  /** Target of a link. */
  target: string | null;
}

const MAX_PATH_LENGTH = 1024;
const MAX_LINK_LENGTH = 4096;
const MIB = 1024 * 1024;

/**
 * Lists the files, links and empty folders of a workspace. Pipes, sockets and devices are removed. No link is followed, and
 * no file is read, so that excess is found before it is hashed. Holes count with their full size, because a hole of a terabyte
 * uses no disk.
 * @throws WorkspaceError
 */
export async function scanWorkspace(folder: string): Promise<FoundEntry[]> {
  const found: FoundEntry[] = [];
  const folders = [''];
  let bytes = 0n;
  let nameBytes = 0;
  for (let below = folders.pop(); below !== undefined; below = folders.pop()) {
    const [entries, others] = partition(entriesOf(`${folder}/${below}`));
    if (others.length > 0) fs.chmodSync(`${folder}/${below}`, 0o700);
    for (const { name } of others) fs.unlinkSync(`${folder}/${below}/${name}`);
    if (entries.length === 0 && below !== '') {
      found.push({
        path: below,
        kind: 'folder',
        stats: fs.lstatSync(`${folder}/${below}`, { bigint: true }),
        target: null,
      });
    }
    for (const entry of entries) {
      const path = check(below === '' ? entry.name : `${below}/${entry.name}`);
      nameBytes += bytesOf(path);
      if (entry.isDirectory()) {
        folders.push(path);
        continue;
      }
      const stats = fs.lstatSync(`${folder}/${path}`, { bigint: true });
      const target = stats.isFile() ? null : readLink(`${folder}/${path}`);
      bytes += stats.isFile() ? stats.size : 0n;
      nameBytes += target === null ? 0 : bytesOf(target);
      found.push({ path, kind: stats.isFile() ? 'file' : 'link', stats, target });
    }
    if (found.length + folders.length > SANDBOX_SESSION_LIMITS.entries) {
      throw new WorkspaceError(`the workspace would hold more than ${SANDBOX_SESSION_LIMITS.entries} files`);
    }
    if (bytes > SANDBOX_SESSION_LIMITS.bytes) throw new WorkspaceError('the workspace would hold more than 1 GiB');
    if (nameBytes > SANDBOX_SESSION_LIMITS.nameBytes) {
      throw new WorkspaceError(
        `the paths and links of the workspace would take more than ${SANDBOX_SESSION_LIMITS.nameBytes / MIB} MiB`,
      );
    }
    await yieldToEventLoop();
  }
  return found;
}

function entriesOf(folder: string): fs.Dirent[] {
  const read = () => fs.readdirSync(folder, { withFileTypes: true });
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    fs.chmodSync(folder, 0o700);
    return read();
  }
}

/** Separates entries that a workspace can contain from others. */
function partition(entries: fs.Dirent[]): [fs.Dirent[], fs.Dirent[]] {
  const isStorable = (entry: fs.Dirent) => entry.isFile() || entry.isDirectory() || entry.isSymbolicLink();
  return [entries.filter(isStorable), entries.filter((entry) => !isStorable(entry))];
}

function check(path: string): string {
  if (path.length > MAX_PATH_LENGTH) throw new WorkspaceError(`a path is longer than ${MAX_PATH_LENGTH} characters`);
  // A name that is not UTF-8 decodes to U+FFFD, and then names no file.
  if (path.includes('\uFFFD')) throw new WorkspaceError(`a name is not UTF-8: ${JSON.stringify(path)}`);
  return path;
}

function readLink(path: string): string {
  const target = fs.readlinkSync(path);
  if (target.includes('\uFFFD') || target.length > MAX_LINK_LENGTH) {
    throw new WorkspaceError('the target of a link is not UTF-8, or is too long');
  }
  return target;
}

/** Size in a message. */
const bytesOf = (name: string): number => Buffer.byteLength(JSON.stringify(name));
