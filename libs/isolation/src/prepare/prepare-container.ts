import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { locateCgroups, WORKER_GROUP } from '../cgroup/locate-cgroups.js';
import { parseMounts, type Mount } from '../cgroup/parse-mounts.js';

const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';
/** Controllers of each version by which steps are bounded and measured. */
const CONTROLLERS = { 1: ['memory', 'pids', 'cpuacct'], 2: ['memory', 'pids'] };
/** A health check may start in between, as one more process of the container. */
const TRIES = 20;

/**
 * Makes a container fit for sandboxes and for limits, before the worker in it starts. The process must be root with
 * CAP_SYS_ADMIN; it changes the mounts and control groups of its own container and of nothing else.
 *
 * Container runtimes cover parts of /proc. The kernel then lets no user namespace mount a /proc of its own, because that
 * would uncover them (`mount_too_revealing` in fs/namespace.c). A fresh /proc over the covered one is fully visible.
 * Runtimes also mount control groups read-only. In version 2 only groups without processes have limits for groups below
 * them (cgroups(7)), so all processes of the container move to one below its own, as the script `dind` of Docker in Docker
 * has it.
 * @param isolate whether steps get sandboxes; otherwise they run in this /proc, and its covers stay
 * @returns what could not be done, for the log
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

/** Lets groups below the container's have limits, in version 2. The root of all groups is left alone: it has no cgroup.type. */
function makeParentGroup(): void {
  const groups = locateCgroups(readFileSync('/proc/self/mountinfo', 'utf8'), readFileSync('/proc/self/cgroup', 'utf8'));
  const folder = groups?.version === 2 ? groups.memory : null;
  if (folder === null || !existsSync(join(folder, 'cgroup.type'))) return;
  const available = readFileSync(join(folder, 'cgroup.controllers'), 'utf8').trim().split(' ');
  const wanted = CONTROLLERS[2].filter((name) => available.includes(name)).map((name) => `+${name}`);
  const own = join(folder, WORKER_GROUP);
  mkdirSync(own, { recursive: true });
  for (let left = TRIES; ; left -= 1) {
    for (const id of readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)) move(id, own);
    try {
      return writeFileSync(join(folder, 'cgroup.subtree_control'), wanted.join(' '));
    } catch (error) {
      if (left === 1) throw error;
    }
  }
}

function move(process: string, group: string): void {
  try {
    writeFileSync(join(group, 'cgroup.procs'), process);
  } catch {
    // It has ended.
  }
}

function mount(...args: string[]): void {
  const env = { PATH: SYSTEM_PATH, LC_ALL: 'C' };
  const { status, stderr, error } = spawnSync('mount', args, { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`mount ${args.join(' ')}: ${error?.message ?? stderr.trim().split('\n')[0]}`);
}
