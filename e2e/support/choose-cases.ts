/**
 * Chooses some of the cases that take long, other ones in each run of all tests, so that all of them run every few times. All
 * cases run if tests are named. The seed of a run, which `npm test` prints, chooses the same cases again.
 * @returns the chosen ones, in their order
 */
export function chooseCases<T>(cases: readonly T[], count: number, seed = process.env['TEST_SEED'] ?? ''): T[] {
  if (seed === '') return [...cases];
  const chosen = new Set(shuffle([...cases.keys()], seed).slice(0, count));
  return cases.filter((_, index) => chosen.has(index));
}

/** @returns the cases in an order that follows from the seed */
export function shuffle<T>(cases: readonly T[], seed: string): T[] {
  const random = startRandom(Number(seed));
  const ranked = cases.map((one) => ({ one, rank: random() })).toSorted((a, b) => a.rank - b.rank);
  return ranked.map(({ one }) => one);
}

/** The generator mulberry32: numbers from 0 to 1 that follow from the seed. */
function startRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
