/** A mounted file system, as a line of /proc/self/mountinfo describes it (proc(5)). */
export interface Mount {
  /** Folder within the file system that is mounted. */
  root: string;
  point: string;
  /** Whether this mount is read-only. Its file system may not be. */
  readOnly: boolean;
  type: string;
  /** Options of the file system. */
  options: string[];
}

export function parseMounts(mountinfo: string): Mount[] {
  return mountinfo.split('\n').flatMap((line) => parseLine(line) ?? []);
}

function parseLine(line: string): Mount | null {
  const [front, back] = line.split(' - ');
  const [, , , root, point, flags] = front?.split(' ') ?? [];
  const [type, , options] = back?.split(' ') ?? [];
  if (root === undefined || point === undefined || type === undefined) return null;
  const readOnly = flags?.split(',').includes('ro') === true;
  return { root, point, readOnly, type, options: options?.split(',') ?? [] };
}
