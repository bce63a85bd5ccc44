import { basename, dirname } from 'node:path';
import { parseMounts, type Mount } from './parse-mounts.js';

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
