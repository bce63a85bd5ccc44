/**
 * Lets so many jobs of a kind work at once of one vault, fewer than the service works on, so that another's is never behind
 * all of these. What may not work yet is put by, and ordered again when one of its vault has ended. Of the jobs that die
 * with the process KeepLoads knows.
 */
export class VaultTurns {
  private readonly working = new Map<string, Set<string>>();
  private readonly putBy = new Map<string, Set<string>>();

  /** @param order orders a job anew, which then asks for its turn again, whatever has become of what it is about */
  constructor(
    private readonly most: number,
    private readonly order: (vault: string, job: string) => Promise<void>,
  ) {}

  /** Does the work of a job, or puts it by: also one that is at work, for it may have looked before this was ordered. */
  async run(vault: string, job: string, work: () => Promise<void>): Promise<void> {
    const working = entry(this.working, vault);
    if (working.has(job) || working.size >= this.most) return void entry(this.putBy, vault).add(job);
    working.add(job);
    try {
      await work();
    } finally {
      working.delete(job);
      if (working.size === 0) this.working.delete(vault);
      await this.orderNext(vault);
    }
  }

  private async orderNext(vault: string): Promise<void> {
    const waiting = this.putBy.get(vault);
    const [next] = waiting ?? [];
    if (waiting === undefined || next === undefined) return;
    waiting.delete(next);
    try {
      await this.order(vault, next);
    } catch (error) {
      entry(this.putBy, vault).add(next);
      throw error;
    } finally {
      if (waiting.size === 0 && this.putBy.get(vault) === waiting) this.putBy.delete(vault);
    }
  }
}

function entry(jobs: Map<string, Set<string>>, vault: string): Set<string> {
  const found = jobs.get(vault) ?? new Set();
  jobs.set(vault, found);
  return found;
}
