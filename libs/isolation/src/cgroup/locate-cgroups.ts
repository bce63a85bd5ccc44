import { basename, dirname } from 'node:path';

/** Folders below which control groups for this process's children can be made; null without that controller. */
export interface CgroupFolders {
  version: 1 | 2;
  memory: string | null;
  pids: string | null;
  /** Counts CPU time. */
  cpu: string | null;
}

/**
 * `prepareContainer` moves a container's processes to this group, because in version 2 a group that contains processes cannot
 * have groups with limits below it. Groups for children are made beside it.
 */
export const WORKER_GROUP = 'millrace-worker';

/**
 * Locates the groups from /proc/self/mountinfo (proc(5)) and /proc/self/cgroup (cgroups(7)). A controller that is mounted in
 * version 1 is not available in version 2, so version 1 wins if it has memory or pids.
 */
export function locateCgroups(mountinfo: string, cgroup: string): CgroupFolders | null {
  const mounts = parseMounts(mountinfo);
  const memory = locate('memory', mounts, cgroup);
  const pids = locate('pids', mounts, cgroup);
  if (memory !== null || pids !== null) return { version: 1, memory, pids, cpu: locate('cpuacct', mounts, cgroup) };
  const own = locate('', mounts, cgroup);
  if (own === null) return null;
  const unified = basename(own) === WORKER_GROUP ? dirname(own) : own;
  return { version: 2, memory: unified, pids: unified, cpu: unified };
}

function locate(controller: string, mounts: Mount[], cgroup: string): string | null {
  const type = controller === '' ? 'cgroup2' : 'cgroup';
  const mount = mounts.find(
    (candidate) => candidate.type === type && (controller === '' || candidate.options.includes(controller)),
  );
  const path = cgroup
    .split('\n')
    .map((line) => /^\d+:([^:]*):(.*)$/.exec(line))
    .find((match) => match?.[1]?.split(',').includes(controller))?.[2];
  if (!mount || path === undefined) return null;
  // In a container the mount shows only the container's own group, but the process still reports its path from outside.
  const below = mount.root !== '/' && path.startsWith(mount.root) ? path.slice(mount.root.length) : path;
  return `${mount.point}${below === '/' ? '' : below}`;
}

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
