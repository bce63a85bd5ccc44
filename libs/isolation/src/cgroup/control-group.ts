import { existsSync, mkdirSync, readFileSync, readdirSync, readlinkSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { locateCgroups, type CgroupFolders } from './locate-cgroups.js';

const PREFIX = 'millrace';

/**
 * A process id means something in its own process namespace alone, and workers of several may share a parent group. It stands
 * behind the id because earlier versions, which may run beside this one, look for that first.
 */
const NAMESPACE = /\d+/.exec(attempt(() => readlinkSync('/proc/self/ns/pid')) ?? '')?.[0] ?? '0';

/** Files of version 1 and 2 that do the same. */
const FILES = {
  1: { memory: 'memory.limit_in_bytes', pids: 'pids.max', oom: 'memory.oom_control', cpu: 'cpuacct.usage' },
  2: { memory: 'memory.max', pids: 'pids.max', oom: 'memory.events', cpu: 'cpu.stat' },
} as const;

/**
 * One slot's control group: bounds memory and number of processes of all that its keeper starts, and counts their CPU time. The keeper joins once and
 * its children are born in it, because moving a process (1.7 ms) costs more than starting one.
 */
export class ControlGroup {
  private memoryBytes = 0;

  private constructor(
    private readonly version: 1 | 2,
    private readonly memory: string | null,
    private readonly pids: string | null,
    private readonly cpu: string | null,
  ) {}

  /** Null where control groups are not there or not ours to make, as for ordinary users without delegation. */
  static create(slot: string, processes: number): ControlGroup | null {
    const parents = locateOwnCgroups();
    if (!parents) return null;
    const name = `${PREFIX}-${process.pid}-${NAMESPACE}-${slot}`;
    const files = FILES[parents.version];
    const memory = makeGroup(parents.memory, name, files.memory);
    const pids = makeGroup(parents.pids, name, files.pids);
    const cpu = makeGroup(parents.cpu, name, files.cpu);
    if (memory === null && pids === null && cpu === null) return null;
    if (pids !== null) writeFileSync(join(pids, files.pids), String(processes));
    return new ControlGroup(parents.version, memory, pids, cpu);
  }

  /** What it can bound; null where it only counts. */
  get kernelLimits(): { memory: boolean; processes: boolean } | null {
    if (this.memory === null && this.pids === null) return null;
    return { memory: this.memory !== null, processes: this.pids !== null };
  }

  /**
   * CPU time of all that has ever run in it, in milliseconds; null where that is not counted. Nothing escapes this: a process
   * counts whether or not anybody waited for it, also one that was killed. Reading costs about 10 µs.
   */
  cpuMs(): number | null {
    if (this.cpu === null) return null;
    const text = attempt(() => readFileSync(join(this.cpu ?? '', FILES[this.version].cpu), 'utf8'));
    if (text === undefined) return null;
    return this.version === 1 ? Number(text) / 1e6 : Number(/^usage_usec (\d+)/m.exec(text)?.[1] ?? NaN) / 1e3;
  }

  add(pid: number): void {
    for (const folder of this.folders()) writeFileSync(join(folder, 'cgroup.procs'), String(pid));
  }

  /** In bytes. Fails silently where more than that is in use at the moment: the kernel then keeps the old limit. */
  limitMemory(bytes: number): void {
    if (this.memory === null || bytes === this.memoryBytes) return;
    this.memoryBytes = bytes;
    attempt(() => writeFileSync(join(this.memory ?? '', FILES[this.version].memory), String(bytes)));
  }

  /** How many processes the kernel has ended so far because the group's memory was used up. */
  oomKills(): number {
    if (this.memory === null) return 0;
    const text = attempt(() => readFileSync(join(this.memory ?? '', FILES[this.version].oom), 'utf8')) ?? '';
    return Number(/^oom_kill (\d+)/m.exec(text)?.[1] ?? 0);
  }

  /** Ids of all that runs in it. */
  processes(): number[] {
    const [folder] = this.folders();
    return folder === undefined ? [] : readProcesses(folder);
  }

  /** For when the keeper is gone and cannot do it. */
  killAll(): void {
    for (const folder of this.folders()) {
      for (const id of readProcesses(folder)) attempt(() => process.kill(id, 'SIGKILL'));
    }
  }

  remove(): void {
    for (const folder of this.folders()) attempt(() => rmdirSync(folder));
  }

  private folders(): Set<string> {
    return new Set([this.memory, this.pids, this.cpu].filter((folder) => folder !== null));
  }
}

/** Removes groups of this namespace's workers that are gone, after ending what a crash may have left in them. */
export function removeDeadControlGroups(): void {
  const parents = locateOwnCgroups();
  for (const parent of new Set([parents?.memory, parents?.pids, parents?.cpu])) {
    const names = parent == null ? [] : (attempt(() => readdirSync(parent)) ?? []);
    for (const name of names) {
      const owner = new RegExp(`^${PREFIX}-(\\d+)-${NAMESPACE}-`).exec(name)?.[1];
      if (owner === undefined || existsSync(`/proc/${owner}`)) continue;
      for (const id of readProcesses(join(parent ?? '', name))) attempt(() => process.kill(id, 'SIGKILL'));
      attempt(() => rmdirSync(join(parent ?? '', name)));
    }
  }
}

/** The kernel lists processes of other namespaces as 0, which to `kill` is the caller's own process group. */
function readProcesses(group: string): number[] {
  const ids = attempt(() => readFileSync(join(group, 'cgroup.procs'), 'utf8')) ?? '';
  return ids
    .split('\n')
    .map(Number)
    .filter((id) => id > 0);
}

function locateOwnCgroups(): CgroupFolders | null {
  const [mountinfo, cgroup] = ['/proc/self/mountinfo', '/proc/self/cgroup'].map((path) =>
    attempt(() => readFileSync(path, 'utf8')),
  );
  return mountinfo === undefined || cgroup === undefined ? null : locateCgroups(mountinfo, cgroup);
}

/** Gives the folder, or null where it cannot be made or lacks the controller (version 2 needs it delegated). */
function makeGroup(parent: string | null, name: string, file: string): string | null {
  if (parent === null) return null;
  const folder = join(parent, name);
  return (
    attempt(() => {
      mkdirSync(folder, { recursive: true });
      if (existsSync(join(folder, file))) return folder;
      rmdirSync(folder);
      return null;
    }) ?? null
  );
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
