import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Mount, WORKER_GROUP, locateCgroups, parseMounts } from '../cgroup/locate-cgroups.js';

const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';
/** Controllers of each cgroup version that limit and measure steps. */
const CONTROLLERS = { 1: ['memory', 'pids', 'cpuacct'], 2: ['memory', 'pids'] };
/** In between a health check may start, as one more process of the container. */
const TRIES = 20;

/**
 * Prepares a container for sandboxes and limits, before its worker starts. The process must be root with CAP_SYS_ADMIN. It
 * changes only the mounts and control groups of its own container.
 *
 * Container runtimes cover parts of /proc. The kernel then does not let user namespaces mount a /proc of their own, because
 * that would uncover those parts (`mount_too_revealing` in fs/namespace.c). A fresh /proc over the covered one is visible as a
 * whole. Runtimes also mount control groups read-only. In version 2 only groups without processes can limit the groups below
 * them (cgroups(7)), so all processes of the container move to a group below its own, as in the script `dind` of Docker in
 * Docker.
 * @param isolate whether steps get sandboxes; otherwise they use this /proc, and its covers stay
 * @returns messages of the steps that failed, for the log
 */
export function prepareContainer(isolate: boolean): string[] {
  const problems: string[] = [];
  const attempt = (action: () => void) => {
    try {
      action();
    } catch (error) {
      problems.push((error as Error).message);
    }
  };
  if (isolate && listMounts().some(({ point }) => point.startsWith('/proc/'))) attempt(mountProc);
  for (const { point } of listMounts().filter(isReadOnlyCgroup)) attempt(() => mount('-o', 'remount,bind,rw', point));
  attempt(makeParentGroup);
  return problems;
}

const listMounts = (): Mount[] => parseMounts(readFileSync('/proc/self/mountinfo', 'utf8'));

const mountProc = (): void => mount('-t', 'proc', '-o', 'nosuid,nodev,noexec', 'proc', '/proc');

const isReadOnlyCgroup = ({ readOnly, type, options }: Mount): boolean =>
  readOnly && (type === 'cgroup2' || (type === 'cgroup' && options.some((name) => CONTROLLERS[1].includes(name))));

/** Enables limits for groups below the container's, in version 2. Skips the root of all groups, which has no cgroup.type. */
function makeParentGroup(): void {
  const groups = locateCgroups(readFileSync('/proc/self/mountinfo', 'utf8'), readFileSync('/proc/self/cgroup', 'utf8'));
  const folder = groups?.version === 2 ? groups.memory : null;
  if (folder === null || !existsSync(join(folder, 'cgroup.type'))) return;
  const available = readFileSync(join(folder, 'cgroup.controllers'), 'utf8').trim().split(' ');
  const enabled = CONTROLLERS[2].filter((name) => available.includes(name)).map((name) => `+${name}`);
  const own = join(folder, WORKER_GROUP);
  mkdirSync(own, { recursive: true });
  for (let triesLeft = TRIES; ; triesLeft -= 1) {
    for (const id of readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)) move(id, own);
    try {
      return writeFileSync(join(folder, 'cgroup.subtree_control'), enabled.join(' '));
    } catch (error) {
      if (triesLeft === 1) throw error;
    }
  }
}

function move(process: string, group: string): void {
  try {
    writeFileSync(join(group, 'cgroup.procs'), process);
  } catch {
    // The process has ended.
  }
}

function mount(...args: string[]): void {
  const env = { PATH: SYSTEM_PATH, LC_ALL: 'C' };
  const { status, stderr, error } = spawnSync('mount', args, { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`mount ${args.join(' ')}: ${error?.message ?? stderr.trim().split('\n')[0]}`);
}
