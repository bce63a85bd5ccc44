import { readFileSync } from 'node:fs';

/** What a container has used, as its control group counts it. */
export interface ContainerUsage {
  cpuMs: number;
  /** Anonymous memory at this moment. */
  residentBytes: number;
}

/** Where daemons make the group of a container, with the drivers `systemd` and `cgroupfs`. */
const groupsOf = (id: string): string[] => [`system.slice/docker-${id}.scope`, `docker/${id}`];

interface GroupFiles {
  version: 1 | 2;
  cpu: string;
  memory: string;
  processes: string;
}

const filesIn = (root: string, group: string): GroupFiles[] => [
  {
    version: 2,
    cpu: `${root}/${group}/cpu.stat`,
    memory: `${root}/${group}/memory.stat`,
    processes: `${root}/${group}/cgroup.procs`,
  },
  {
    version: 1,
    cpu: `${root}/cpuacct/${group}/cpuacct.usage`,
    memory: `${root}/memory/${group}/memory.stat`,
    processes: `${root}/cpuacct/${group}/cgroup.procs`,
  },
];

/**
 * Reads the control group of a container, if this process sees the groups of the daemon: a worker on the machine itself does,
 * a worker in a container usually does not.
 */
export class ContainerGroup {
  private readonly candidates: GroupFiles[];

  /** @param id of the container, in full */
  constructor(id: string, root = '/sys/fs/cgroup') {
    this.candidates = groupsOf(id).flatMap((group) => filesIn(root, group));
  }

  /** Takes about 50 µs. @returns null if the group is not visible, or no longer exists */
  read(): ContainerUsage | null {
    for (const { version, cpu, memory } of this.candidates) {
      const counters = readOrNull(cpu);
      if (counters === null) continue;
      const cpuMs = version === 1 ? Number(counters) / 1e6 : (field(counters, 'usage_usec') ?? 0) / 1e3;
      const residentBytes = field(readOrNull(memory) ?? '', version === 1 ? 'total_rss' : 'anon') ?? 0;
      return { cpuMs, residentBytes };
    }
    return null;
  }

  /** Ids of its processes. The kernel lists those of another process namespace as 0. */
  processes(): number[] {
    for (const { processes } of this.candidates) {
      const ids = readOrNull(processes);
      if (ids === null) continue;
      return ids
        .split('\n')
        .map(Number)
        .filter((id) => id > 0);
    }
    return [];
  }
}

/** Reads a response of `GET /containers/{id}/stats`. @returns null if the container does not run */
export function readStats(stats: unknown): ContainerUsage | null {
  const { cpu_stats, memory_stats } = (stats ?? {}) as {
    cpu_stats?: { cpu_usage?: { total_usage?: number } };
    memory_stats?: { stats?: Record<string, number> };
  };
  const nanoseconds = cpu_stats?.cpu_usage?.total_usage ?? 0;
  if (nanoseconds === 0) return null;
  const { anon, total_rss: totalRss } = memory_stats?.stats ?? {};
  return { cpuMs: nanoseconds / 1e6, residentBytes: anon ?? totalRss ?? 0 };
}

const field = (text: string, name: string): number | null => {
  const value = new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1];
  return value === undefined ? null : Number(value);
};

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
