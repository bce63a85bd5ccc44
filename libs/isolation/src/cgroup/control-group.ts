import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { locateCgroups, type CgroupFolders } from './locate-cgroups.js';

const PREFIX = 'millrace';

/** Part of each group's name: a process id is unique only in its process namespace, and workers of several can share a parent. */
const NAMESPACE = /\d+/.exec(attempt(() => readlinkSync('/proc/self/ns/pid')) ?? '')?.[0] ?? '0';

const GROUP_NAME = new RegExp(`^${PREFIX}-(\\d+)-(\\d+)-`);

/** Corresponding files of cgroup versions 1 and 2. */
const FILES = {
  1: { memory: 'memory.limit_in_bytes', pids: 'pids.max', oom: 'memory.oom_control', cpu: 'cpuacct.usage' },
  2: { memory: 'memory.max', pids: 'pids.max', oom: 'memory.events', cpu: 'cpu.stat' },
} as const;

/** Errors of a folder that was removed before a file in it was opened, or between opening and writing. */
const REMOVED = new Set(['ENOENT', 'ENODEV']);
const MAX_ATTEMPTS = 1_000;

/**
 * One slot's control group. It limits memory and number of processes for everything that the slot's runner starts, and counts
 * their CPU time. Only the runner is moved into it: its children inherit the group, and moving a process takes 1.7 ms, longer
 * than starting one.
 */
export class ControlGroup {
  private memoryBytes = 0;

  private constructor(
    private readonly version: 1 | 2,
    private readonly memory: string | null,
    private readonly pids: string | null,
    private readonly cpu: string | null,
    private readonly maxProcesses: number,
  ) {}

  /** Null if this process cannot make control groups, like an ordinary user without delegation. */
  static create(slot: string, maxProcesses: number): ControlGroup | null {
    const parents = locateOwnCgroups();
    if (!parents) return null;
    const name = `${PREFIX}-${process.pid}-${NAMESPACE}-${slot}`;
    const files = FILES[parents.version];
    const memory = makeGroup(parents.memory, name, files.memory);
    const pids = makeGroup(parents.pids, name, files.pids);
    const cpu = makeGroup(parents.cpu, name, files.cpu);
    if (memory === null && pids === null && cpu === null) return null;
    return new ControlGroup(parents.version, memory, pids, cpu, maxProcesses);
  }

  /** The limits that it enforces; null if it only counts CPU time. */
  get kernelLimits(): { memory: boolean; processes: boolean } | null {
    if (this.memory === null && this.pids === null) return null;
    return { memory: this.memory !== null, processes: this.pids !== null };
  }

  /**
   * CPU time of everything that has ever run in it, in milliseconds; null if it is not counted. Every process counts, also
   * one that was killed or that its parent did not wait for. Reading takes about 10 µs.
   */
  cpuMs(): number | null {
    if (this.cpu === null) return null;
    const text = attempt(() => readFileSync(join(this.cpu ?? '', FILES[this.version].cpu), 'utf8'));
    if (text === undefined) return null;
    return this.version === 1 ? Number(text) / 1e6 : Number(/^usage_usec (\d+)/m.exec(text)?.[1] ?? NaN) / 1e3;
  }

  add(pid: number): void {
    retryIfRemoved(() => {
      for (const folder of this.folders()) this.restore(folder);
      if (this.pids !== null) writeFileSync(join(this.pids, FILES[this.version].pids), String(this.maxProcesses));
      for (const folder of this.folders()) writeFileSync(join(folder, 'cgroup.procs'), String(pid));
    });
  }

  /** Does nothing if more than `bytes` are in use at the moment: the kernel then keeps the old limit. */
  limitMemory(bytes: number): void {
    if (this.memory === null || bytes === this.memoryBytes) return;
    this.memoryBytes = bytes;
    attempt(() => writeFileSync(join(this.memory ?? '', FILES[this.version].memory), String(bytes)));
  }

  /** Number of processes that the kernel has killed so far because the group ran out of memory. */
  oomKills(): number {
    if (this.memory === null) return 0;
    const text = attempt(() => readFileSync(join(this.memory ?? '', FILES[this.version].oom), 'utf8')) ?? '';
    return Number(/^oom_kill (\d+)/m.exec(text)?.[1] ?? 0);
  }

  /** Ids of all processes in it. */
  processes(): number[] {
    const [folder] = this.folders();
    return folder === undefined ? [] : readProcesses(folder);
  }

  /** Kills all processes in it; needed if the runner is dead and cannot do it. */
  killAll(): void {
    for (const folder of this.folders()) {
      for (const id of readProcesses(folder)) attempt(() => process.kill(id, 'SIGKILL'));
    }
  }

  remove(): void {
    for (const folder of this.folders()) attempt(() => rmdirSync(folder));
  }

  /** Makes a folder again if a worker of another process namespace removed it while no process was in it. */
  private restore(folder: string): void {
    if (existsSync(folder)) return;
    mkdirSync(folder);
    if (folder === this.memory) this.memoryBytes = 0;
  }

  private folders(): Set<string> {
    return new Set([this.memory, this.pids, this.cpu].filter((folder) => folder !== null));
  }
}

/**
 * Removes groups of workers that no longer run. In its own process namespace it kills processes that a crash left in them. The
 * workers of another namespace cannot be seen; there it removes groups without processes, because a namespace that ends takes
 * all of its processes with it.
 */
export function removeDeadControlGroups(): void {
  const parents = locateOwnCgroups();
  for (const parent of new Set([parents?.memory, parents?.pids, parents?.cpu])) {
    const names = parent == null ? [] : (attempt(() => readdirSync(parent)) ?? []);
    for (const name of names) {
      const [, owner, namespace] = GROUP_NAME.exec(name) ?? [];
      const isOwnNamespace = namespace === NAMESPACE;
      if (namespace === undefined || (isOwnNamespace && existsSync(`/proc/${owner}`))) continue;
      const group = join(parent ?? '', name);
      if (isOwnNamespace) for (const id of readProcesses(group)) attempt(() => process.kill(id, 'SIGKILL'));
      // The kernel refuses to remove a group that has processes.
      attempt(() => rmdirSync(group));
    }
  }
}

/** The kernel lists processes of other namespaces as 0, which `kill` takes as the caller's own process group. */
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

/**
 * Returns the folder; null if it cannot be made or written to, or lacks the controller (in version 2 that must be delegated).
 * A folder that already exists can be on a file system that is mounted read-only.
 */
function makeGroup(parent: string | null, name: string, file: string): string | null {
  if (parent === null) return null;
  const folder = join(parent, name);
  const make = () => {
    mkdirSync(folder, { recursive: true });
    if (existsSync(join(folder, file))) {
      accessSync(join(folder, 'cgroup.procs'), constants.W_OK);
      return folder;
    }
    rmdirSync(folder);
    return null;
  };
  return attempt(() => retryIfRemoved(make)) ?? null;
}

/**
 * Repeats an action on a group without processes, which a worker of another process namespace can remove at any moment. Each
 * worker removes such groups once, at its start.
 */
function retryIfRemoved<T>(action: () => T): T {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return action();
    } catch (error) {
      const isRemoved = REMOVED.has((error as NodeJS.ErrnoException).code ?? '');
      if (!isRemoved || attempts === MAX_ATTEMPTS) throw error;
    }
  }
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
