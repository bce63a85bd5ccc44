import { afterAll, beforeAll, describe, it } from '@jest/globals';
import fc from 'fast-check';
import { newId } from '@millrace/persistence/ids';
import { freshDatabase } from '@millrace/testkit/fresh-database';
import { BilledVaults } from '../testing/billed-vaults.js';
import { randomHistory, VAULTS, type Happening } from '../testing/random-history.js';

let vaults: BilledVaults;
beforeAll(async () => {
  vaults = BilledVaults.open(await freshDatabase());
});
afterAll(() => vaults.close());

/** Numbers of subjobs that no case before has used. */
let base = 0;
async function begin(): Promise<string[]> {
  base += 1_000;
  return vaults.begin(VAULTS);
}

type Told = Extract<Happening, { kind: 'told' }>['attempts'][number];

const monthAt = (number: number) => `2026-${String(number + 1).padStart(2, '0')}-01`;

/** Does what happens, in the month `now`. */
async function happen(ids: string[], one: Exclude<Happening, { kind: 'month' }>, now: number) {
  const month = monthAt(now);
  if (one.kind === 'plan') return vaults.choose(ids[one.vault]!, one.plan, month);
  if (one.kind === 'limit') return vaults.limit(ids[one.vault]!, one.limit, one.stopRunning, month);
  const attempts = one.attempts.map(({ vault, subjob, attempt, cpuMs, month: ago }) => ({
    // A subjob is one vault's for good.
    ...{ vault: ids[vault]!, subjob: String(base + subjob * VAULTS + vault), attempt, cpuMs },
    ...{ run: '1', workflow: newId(), finishedAt: `${monthAt(Math.max(0, now - ago)).slice(0, 7)}-28T23:59:59.999Z` },
  }));
  return vaults.tell(attempts, month);
}

/** The same history in which an attempt that is told again is told as before: of two at once either may be the first. */
function agree(history: Happening[]): Happening[] {
  const first = new Map<string, Told>();
  return history.map((one) => {
    if (one.kind !== 'told') return one;
    const attempts = one.attempts.map((told) => {
      const key = `${told.vault} ${told.subjob} ${told.attempt}`;
      first.set(key, first.get(key) ?? told);
      return first.get(key) ?? told;
    });
    return { ...one, attempts };
  });
}

describe('whatever happens to vaults, the ledger, its sums, what is decided and what is told agree', () => {
  it('after each thing, one after another', async () => {
    await fc.assert(
      fc.asyncProperty(randomHistory, async (history) => {
        const ids = await begin();
        let now = 0;
        for (const one of history) {
          if (one.kind === 'month') await vaults.turn(monthAt(++now % 12));
          else await happen(ids, one, now % 12);
          await vaults.expectRight(monthAt(now % 12));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('where all of it happens at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(randomHistory, async (history) => {
        const ids = await begin();
        const seen = new Set<string>();
        // Of two that set the same thing at once either may be the last: each vault's plan and limit is set once.
        const once = agree(history).filter((one) => {
          if (one.kind === 'month') return false;
          const key = one.kind === 'told' ? newId() : `${one.kind} ${one.vault}`;
          return seen.size < seen.add(key).size;
        });
        await Promise.all(once.map((one) => happen(ids, one as Exclude<Happening, { kind: 'month' }>, 0)));
        await vaults.expectRight(monthAt(0));
      }),
      { numRuns: 100 },
    );
  });
});
