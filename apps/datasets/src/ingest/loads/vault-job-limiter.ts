/**
 * Limits how many jobs of one kind run at once for each vault. The limit is lower than the concurrency of the service, so
 * that one vault never delays all others. A job above the limit is deferred and enqueued again when another job of its
 * vault has ended. Deferred jobs live in memory; if the process ends, LoadReconcilerService enqueues them.
 */
export class VaultJobLimiter {
  private readonly running = new Map<string, Set<string>>();
  private readonly deferred = new Map<string, Set<string>>();

  /** @param enqueue enqueues a deferred job, which then calls `run` again, whatever the state of its record */
  constructor(
    private readonly limit: number,
    private readonly enqueue: (vault: string, job: string) => Promise<void>,
  ) {}

  /**
   * Runs a job or defers it. A job that is already running is deferred too, because the running one may have read its
   * records before this one was enqueued.
   */
  async run(vault: string, job: string, work: () => Promise<void>): Promise<void> {
    const running = getOrCreate(this.running, vault);
    if (running.has(job) || running.size >= this.limit) return void getOrCreate(this.deferred, vault).add(job);
    running.add(job);
    try {
      await work();
    } finally {
      running.delete(job);
      if (running.size === 0) this.running.delete(vault);
      await this.enqueueNext(vault);
    }
  }

  private async enqueueNext(vault: string): Promise<void> {
    const deferred = this.deferred.get(vault);
    const [next] = deferred ?? [];
    if (deferred === undefined || next === undefined) return;
    deferred.delete(next);
    try {
      await this.enqueue(vault, next);
    } catch (error) {
      getOrCreate(this.deferred, vault).add(next);
      throw error;
    } finally {
      if (deferred.size === 0 && this.deferred.get(vault) === deferred) this.deferred.delete(vault);
    }
  }
}

function getOrCreate(jobs: Map<string, Set<string>>, vault: string): Set<string> {
  const found = jobs.get(vault) ?? new Set();
  jobs.set(vault, found);
  return found;
}
