import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Throttle {
  /** How the process is throttled: by a control group, or by being stopped and continued. */
  method: string;
  end(): void;
}

const PERIOD_US = 100_000;
/** Length of one period in which the process is stopped and continued. */
const ROUND_MS = 50;

/**
 * Limits a process and all its threads to a share of one processor. The limit does not apply to child processes that it has
 * started earlier.
 */
export function throttleProcess(pid: number, share: number): Throttle {
  const quota = Math.round(share * PERIOD_US);
  const parents = ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup/cpu,cpuacct', '/sys/fs/cgroup'];
  for (const parent of parents.filter((path) => existsSync(join(path, 'cgroup.procs')))) {
    const folder = join(parent, `millrace-throttle-${pid}`);
    try {
      return throttleByGroup(parent, folder, pid, quota);
    } catch {
      removeGroup(folder);
    }
  }
  return throttleBySignals(pid, share);
}

function throttleByGroup(parent: string, folder: string, pid: number, quota: number): Throttle {
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
  return { method: folder, end };
}

/** The group remains if child processes are still in it. They end with the test. */
function removeGroup(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // The group does not exist, or it is still in use.
  }
}

function throttleBySignals(pid: number, share: number): Throttle {
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
  return { method: 'signals', end };
}
