import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Finds the process among `pids` that has a TCP connection with a local port. */
export function findClient(port: number, pids: readonly number[]): number | undefined {
  const inode = findInode(port);
  return pids.find((pid) => inode !== undefined && socketsOf(pid).has(`socket:[${inode}]`));
}

/** The table has the local address as hexadecimal `address:port` in its second column, and the inode in its tenth. */
function findInode(port: number): string | undefined {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(table, 'utf8').split('\n').slice(1)) {
      const columns = line.trim().split(/\s+/);
      if (columns[1]?.endsWith(local)) return columns[9];
    }
  }
  return undefined;
}

/** What the files of a process are, such as `socket:[1234]`. */
export function socketsOf(pid: number): Set<string> {
  return new Set(listFiles(pid).filter((target) => target.startsWith('socket:')));
}

export function listFiles(pid: number): string[] {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).flatMap((name) => readTarget(`${folder}/${name}`));
  } catch {
    return [];
  }
}

function readTarget(link: string): string[] {
  try {
    return [readlinkSync(link)];
  } catch {
    return [];
  }
}
