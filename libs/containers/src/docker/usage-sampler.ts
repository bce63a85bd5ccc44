import { ContainerGroup, readStats, type ContainerUsage } from './container-usage.js';
import type { DockerApi } from './docker-api.js';

const FIRST_INTERVAL_MS = 10;
const MAX_INTERVAL_MS = 100;
/** A request to the daemon takes about 5 ms of its time. */
const STATS_INTERVAL_MS = 1_000;

/**
 * Samples what a running container uses, because its control group is gone when it has ended. Where this process sees the
 * group, it reads it up to a hundred times a second at first and ten times a second later, otherwise it requests the
 * statistics of the daemon once a second. What is used after the last sample is not counted.
 */
export class UsageSampler {
  private readonly group: ContainerGroup;
  private readonly used = { cpuMs: 0, maxRssBytes: 0 };
  private isStopped = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly api: DockerApi,
    private readonly id: string,
  ) {
    this.group = new ContainerGroup(id);
  }

  /** Call it when the container runs. */
  start(): void {
    void this.sample(FIRST_INTERVAL_MS);
  }

  /** Takes a sample at once if that needs no request. */
  read(): void {
    this.add(this.group.read());
  }

  stop(): { cpuMs: number; maxRssBytes: number } {
    this.read();
    this.isStopped = true;
    clearTimeout(this.timer);
    return this.used;
  }

  processes(): readonly number[] {
    return this.isStopped ? [] : this.group.processes();
  }

  private async sample(intervalMs: number): Promise<void> {
    const usage = this.group.read();
    this.add(usage ?? (await this.requestStats()));
    if (this.isStopped) return;
    const next = usage === null ? STATS_INTERVAL_MS : Math.min(2 * intervalMs, MAX_INTERVAL_MS);
    this.timer = setTimeout(() => void this.sample(next), usage === null ? next : intervalMs);
  }

  private async requestStats(): Promise<ContainerUsage | null> {
    const query = { stream: 'false', 'one-shot': 'true' };
    return readStats(await this.api.request('GET', `/containers/${this.id}/stats`, { query }).catch(() => null));
  }

  private add(usage: ContainerUsage | null): void {
    if (usage === null || this.isStopped) return;
    this.used.cpuMs = Math.max(this.used.cpuMs, usage.cpuMs);
    this.used.maxRssBytes = Math.max(this.used.maxRssBytes, usage.residentBytes);
  }
}
