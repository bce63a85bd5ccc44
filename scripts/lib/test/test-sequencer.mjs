import TestSequencer from '@jest/test-sequencer';

/** @typedef {import('@jest/test-result').Test} Test */

/**
 * Orders the suites so that every worker is busy until the end. Suites that drive a whole system mostly wait and suites
 * that start services in their own process mostly compute, so both kinds run side by side; the short pure suites come last.
 */
export default class MixedSequencer extends TestSequencer {
  /**
   * @override
   * @param {Test[]} tests
   */
  sort(tests) {
    // Jest's own order within a kind: by former duration, or by size of file if there is none.
    const sorted = /** @type {Test[]} */ (super.sort(tests));
    const kinds = Map.groupBy(sorted, ({ path }) => /\.(e2e|int)\.spec\.\w+$/.exec(path)?.[1] ?? 'pure');
    return [...spread(kinds.get('e2e') ?? [], kinds.get('int') ?? []), ...(kinds.get('pure') ?? [])];
  }
}

/**
 * Merges two lists in proportion to their lengths; each keeps its own order.
 * @template T
 * @param {T[]} some
 * @param {T[]} others
 * @returns {T[]}
 */
export function spread(some, others) {
  const place = (/** @type {T[]} */ list) => list.map((item, index) => ({ item, at: (index + 0.5) / list.length }));
  return [...place(some), ...place(others)].toSorted((a, b) => a.at - b.at).map(({ item }) => item);
}
