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
    // Jest's order within a kind: by the duration of the last run, or by file size if there was none.
    const sorted = /** @type {Test[]} */ (super.sort(tests));
    const kinds = Map.groupBy(sorted, ({ path }) => /\.(e2e|int)\.spec\.\w+$/.exec(path)?.[1] ?? 'pure');
    return [...spread(kinds.get('e2e') ?? [], kinds.get('int') ?? []), ...(kinds.get('pure') ?? [])];
  }
}

/**
 * Merges two lists in proportion to their lengths; each keeps its own order.
 * @template T
 * @param {T[]} first
 * @param {T[]} second
 * @returns {T[]}
 */
export function spread(first, second) {
  const withPosition = (/** @type {T[]} */ list) =>
    list.map((item, index) => ({ item, position: (index + 0.5) / list.length }));
  return [...withPosition(first), ...withPosition(second)]
    .toSorted((a, b) => a.position - b.position)
    .map(({ item }) => item);
}
