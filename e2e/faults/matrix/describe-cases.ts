import { afterAll, beforeAll, describe, it } from '@jest/globals';
import type { FaultCase } from '../cases/fault-case.js';
import { runCase } from './run-case.js';
import { startAlone } from './start-alone.js';
import { startMatrix, type Matrix } from './start-matrix.js';

/** Longer than every wait of a case together. */
const CASE_TIMEOUT_MS = 600_000;
/** All lanes start one after another, beside the cases of those that have started. */
const START_TIMEOUT_MS = 1_200_000;

/**
 * Makes a test of each case, all on one system. Their titles are the names of the cases. Those that are not chosen are skipped.
 * @returns a function that returns the system when the tests run
 */
export function describeCases(
  cases: readonly FaultCase[],
  isChosen: (one: FaultCase) => boolean = () => true,
): () => Matrix {
  let matrix: Matrix | undefined;
  /** A failed case may leave something that would fail all later ones. */
  let isDamaged = false;
  beforeAll(async () => {
    matrix = await startAlone(startMatrix);
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    // The failed case has been reported.
    const stopped = matrix?.stop();
    await (isDamaged ? stopped?.catch(() => undefined) : stopped);
  }, START_TIMEOUT_MS);

  async function run(one: FaultCase): Promise<void> {
    if (isDamaged) {
      // A process of a damaged system may end with an error, but the next case has not failed.
      await matrix?.stop().catch(() => undefined);
      matrix = undefined;
      matrix = await startAlone(startMatrix);
    }
    isDamaged = true;
    await runCase(matrix as Matrix, one);
    isDamaged = false;
  }

  describe('all invariants hold after', () => {
    for (const one of cases) {
      const test = isChosen(one) ? it : it.skip;
      test(one.name, () => run(one), CASE_TIMEOUT_MS + START_TIMEOUT_MS);
    }
  });
  return () => matrix as Matrix;
}
