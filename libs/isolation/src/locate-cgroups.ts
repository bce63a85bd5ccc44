/** Folders of this process's own control groups, below which groups for its children can be made. */
export interface CgroupFolders {
  version: 1 | 2;
  memory: string | null;
  pids: string | null;
  /** Where CPU time is counted. */
  cpu: string | null;
}

interface Mount {
  root: string;
  point: string;
  type: string;
  options: string[];
}

/**
 * Finds them from /proc/self/mountinfo (proc(5)) and /proc/self/cgroup (cgroups(7)). A controller that version 1 has mounted
 * is not available in version 2, so version 1 wins where it has memory or pids.
 */
export function locateCgroups(mountinfo: string, cgroup: string): CgroupFolders | null {
  const mounts = mountinfo.split('\n').map(parseMount);
  const memory = locate('memory', mounts, cgroup);
  const pids = locate('pids', mounts, cgroup);
  if (memory !== null || pids !== null) return { version: 1, memory, pids, cpu: locate('cpuacct', mounts, cgroup) };
  const unified = locate('', mounts, cgroup);
  return unified === null ? null : { version: 2, memory: unified, pids: unified, cpu: unified };
}

function locate(controller: string, mounts: (Mount | null)[], cgroup: string): string | null {
  const type = controller === '' ? 'cgroup2' : 'cgroup';
  const mount = mounts.find(
    (candidate) => candidate?.type === type && (controller === '' || candidate.options.includes(controller)),
  );
  const path = cgroup
    .split('\n')
    .map((line) => /^\d+:([^:]*):(.*)$/.exec(line))
    .find((match) => match?.[1]?.split(',').includes(controller))?.[2];
  if (!mount || path === undefined) return null;
  // In a container the mount shows only the container's own group, whose path from outside the process still reports.
  const below = mount.root !== '/' && path.startsWith(mount.root) ? path.slice(mount.root.length) : path;
  return `${mount.point}${below === '/' ? '' : below}`;
}

function parseMount(line: string): Mount | null {
  const [front, back] = line.split(' - ');
  const [, , , root, point] = front?.split(' ') ?? [];
  const [type, , options] = back?.split(' ') ?? [];
  if (root === undefined || point === undefined || type === undefined) return null;
  return { root, point, type, options: options?.split(',') ?? [] };
}
