import type { ControlGroup } from '../cgroup/control-group.js';

/** Measures what commands use that the runner cannot see, by the counters of the slot's control group if it has one. */
export class UsageMeter {
  private cpuMsBefore: number | null = null;
  private oomKillsBefore = 0;

  constructor(private readonly group: ControlGroup | null) {}

  /** Call this before each command. */
  begin(): void {
    this.cpuMsBefore = this.group?.cpuMs() ?? null;
  }

  /**
   * CPU time of the command. The runner adds up the usage of processes as it reaps them, and misses processes that their
   * parent does not wait for (wait(2): SIGCHLD is ignored). The group misses nothing, and includes a millisecond of the
   * runner's own.
   */
  cpuMs(reapedMs: number): number {
    const now = this.group?.cpuMs() ?? null;
    return now === null || this.cpuMsBefore === null ? reapedMs : Math.max(reapedMs, now - this.cpuMsBefore);
  }

  /** Whether the kernel has killed a process of the slot for lack of memory since the last call. */
  ranOutOfMemory(): boolean {
    const before = this.oomKillsBefore;
    this.oomKillsBefore = this.group?.oomKills() ?? 0;
    return this.oomKillsBefore > before;
  }
}
