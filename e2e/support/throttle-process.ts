import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Throttle {
  /** How the process is throttled: by a control group, or by being stopped and continued. */
  how: string;
  end(): void;
}

const PERIOD_US = 100_000;
/** Time of a round of stopping and continuing. */
const ROUND_MS = 50;

/** Leaves a process no more than a share of one processor, with all of its threads; processes that it has started before stay as they are. */
export function throttleProcess(pid: number, share: number): Throttle {
  const quota = Math.round(share * PERIOD_US);
  const parents = ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup/cpu,cpuacct', '/sys/fs/cgroup'];
  for (const parent of parents.filter((path) => existsSync(join(path, 'cgroup.procs')))) {
    const folder = join(parent, `millrace-throttle-${pid}`);
    try {
      return byGroup(parent, folder, pid, quota);
    } catch {
      removeGroup(folder);
    }
  }
  return bySignals(pid, share);
}

function byGroup(parent: string, folder: string, pid: number, quota: number): Throttle {
  const isVersion1 = existsSync(join(parent, 'cpu.cfs_quota_us'));
  if (!isVersion1) writeFileSync(join(parent, 'cgroup.subtree_control'), '+cpu');
  mkdirSync(folder);
  if (isVersion1) {
    writeFileSync(join(folder, 'cpu.cfs_period_us'), String(PERIOD_US));
    writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(quota));
  } else writeFileSync(join(folder, 'cpu.max'), `${quota} ${PERIOD_US}`);
  writeFileSync(join(folder, 'cgroup.procs'), String(pid));
  const lift = () =>
    isVersion1
      ? writeFileSync(join(folder, 'cpu.cfs_quota_us'), '-1')
      : writeFileSync(join(folder, 'cpu.max'), `max ${PERIOD_US}`);
  const end = () => {
    lift();
    writeFileSync(join(parent, 'cgroup.procs'), String(pid));
    removeGroup(folder);
  };
  return { how: folder, end };
}

/** Stays if the process has left others in it; they end with the test. */
function removeGroup(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Not made, or still in use.
  }
}

function bySignals(pid: number, share: number): Throttle {
  let stop: NodeJS.Timeout | undefined;
  const round = setInterval(() => {
    process.kill(pid, 'SIGCONT');
    stop = setTimeout(() => process.kill(pid, 'SIGSTOP'), ROUND_MS * share);
  }, ROUND_MS);
  const end = () => {
    clearInterval(round);
    clearTimeout(stop);
    process.kill(pid, 'SIGCONT');
  };
  return { how: 'signals', end };
}
