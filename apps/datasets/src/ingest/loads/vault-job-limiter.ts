/**
 * Lets so many jobs of a kind work at once of one vault, fewer than the service works on, so that another's is never behind
 * all of these. What may not work yet is put by, and ordered again when one of its vault has ended. Of the jobs that die
 * with the process KeepLoads knows.
 */
export class VaultJobLimiter {
  private readonly running = new Map<string, Set<string>>();
  private readonly deferred = new Map<string, Set<string>>();

  /** @param enqueue orders a job anew, which then asks for its turn again, whatever has become of what it is about */
  constructor(
    private readonly limit: number,
    private readonly enqueue: (vault: string, job: string) => Promise<void>,
  ) {}

  /** Does the work of a job, or puts it by: also one that is at work, for it may have looked before this was ordered. */
  async run(vault: string, job: string, work: () => Promise<void>): Promise<void> {
    const working = entry(this.running, vault);
    if (working.has(job) || working.size >= this.limit) return void entry(this.deferred, vault).add(job);
    working.add(job);
    try {
      await work();
    } finally {
      working.delete(job);
      if (working.size === 0) this.running.delete(vault);
      await this.enqueueNext(vault);
    }
  }

  private async enqueueNext(vault: string): Promise<void> {
    const waiting = this.deferred.get(vault);
    const [next] = waiting ?? [];
    if (waiting === undefined || next === undefined) return;
    waiting.delete(next);
    try {
      await this.enqueue(vault, next);
    } catch (error) {
      entry(this.deferred, vault).add(next);
      throw error;
    } finally {
      if (waiting.size === 0 && this.deferred.get(vault) === waiting) this.deferred.delete(vault);
    }
  }
}

function entry(jobs: Map<string, Set<string>>, vault: string): Set<string> {
  const found = jobs.get(vault) ?? new Set();
  jobs.set(vault, found);
  return found;
}
