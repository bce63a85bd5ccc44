import { afterAll, beforeAll, describe, it } from '@jest/globals';
import fc from 'fast-check';
import { newId } from '@millrace/persistence/ids';
import { freshDatabase } from '@millrace/testkit/fresh-database';
import { BilledVaults } from '../testing/billed-vaults.js';
import { randomHistory, VAULTS, type HistoryChange } from '../testing/random-history.js';

let vaults: BilledVaults;
beforeAll(async () => {
  vaults = BilledVaults.open(await freshDatabase());
});
afterAll(() => vaults.close());

/** Start of a range of subjob numbers that no earlier case has used. */
let base = 0;
async function begin(): Promise<string[]> {
  base += 1_000;
  return vaults.begin(VAULTS);
}

type ReportedAttempt = Extract<HistoryChange, { kind: 'usage' }>['attempts'][number];

const monthAt = (number: number) => `2026-${String(number + 1).padStart(2, '0')}-01`;

/** Applies one change in the month `now`. */
async function applyChange(ids: string[], change: Exclude<HistoryChange, { kind: 'month' }>, now: number) {
  const month = monthAt(now);
  if (change.kind === 'plan') return vaults.choose(ids[change.vault]!, change.plan, month);
  if (change.kind === 'limit') return vaults.limit(ids[change.vault]!, change.limit, change.stopRunning, month);
  const attempts = change.attempts.map(({ vault, subjob, attempt, cpuMs, month: ago }) => ({
    // A subjob always belongs to the same vault.
    ...{ vault: ids[vault]!, subjob: String(base + subjob * VAULTS + vault), attempt, cpuMs },
    ...{ run: '1', workflow: newId(), finishedAt: `${monthAt(Math.max(0, now - ago)).slice(0, 7)}-28T23:59:59.999Z` },
  }));
  return vaults.report(attempts, month);
}

/** The same history, in which repeated reports of an attempt are equal, because either of two concurrent ones may be first. */
function withEqualReports(history: HistoryChange[]): HistoryChange[] {
  const first = new Map<string, ReportedAttempt>();
  return history.map((change) => {
    if (change.kind !== 'usage') return change;
    const attempts = change.attempts.map((attempt) => {
      const key = `${attempt.vault} ${attempt.subjob} ${attempt.attempt}`;
      first.set(key, first.get(key) ?? attempt);
      return first.get(key) ?? attempt;
    });
    return { ...change, attempts };
  });
}

describe('the ledger, its sums, restrictions and published events agree', () => {
  it('after each step of a random history', async () => {
    await fc.assert(
      fc.asyncProperty(randomHistory, async (history) => {
        const ids = await begin();
        let now = 0;
        for (const change of history) {
          if (change.kind === 'month') await vaults.updateAll(monthAt(++now % 12));
          else await applyChange(ids, change, now % 12);
          await vaults.expectConsistent(monthAt(now % 12));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('after a random history whose steps run concurrently', async () => {
    await fc.assert(
      fc.asyncProperty(randomHistory, async (history) => {
        const ids = await begin();
        const seen = new Set<string>();
        // Of two concurrent changes either may be last, so each vault's plan and limit is set only once.
        const once = withEqualReports(history).filter((change) => {
          if (change.kind === 'month') return false;
          const key = change.kind === 'usage' ? newId() : `${change.kind} ${change.vault}`;
          return seen.size < seen.add(key).size;
        });
        await Promise.all(
          once.map((change) => applyChange(ids, change as Exclude<HistoryChange, { kind: 'month' }>, 0)),
        );
        await vaults.expectConsistent(monthAt(0));
      }),
      { numRuns: 100 },
    );
  });
});
