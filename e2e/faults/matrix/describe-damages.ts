import { expect, it } from '@jest/globals';
import { runs } from '@millrace/contracts/resources';
import { waitForEnd } from '../../support/run-workflow.js';
import { makeMatrixWorkflow } from '../edges/matrix-workflow.js';
import { checkInvariants, findViolations } from '../invariants/check-invariants.js';
import type { ExpectedRun } from '../invariants/invariant.js';
import { DAMAGES } from '../invariants/list-damages.js';
import type { Matrix } from './start-matrix.js';

/** Makes a test that damages each invariant, and expects that exactly this is reported. */
export function describeDamages(getMatrix: () => Matrix): void {
  it('reports every damage to an invariant, and nothing if there is none', async () => {
    const matrix = getMatrix();
    const workflow = await makeMatrixWorkflow(matrix, 'last-report');
    const { client } = matrix.account;
    const { id } = await client.call(runs.createRun, { params: { id: workflow.id }, body: {} });
    await waitForEnd(client, id);
    const run: ExpectedRun = { id, workflow, status: 'COMPLETED', ends: 1, isDeleted: false };
    await checkInvariants(matrix, [run]);
    for (const damage of DAMAGES) {
      const { what, reported } = damage;
      const repair = await damage.cause(matrix, run);
      matrix.intactObjects.clear();
      const violations = await findViolations(matrix, [run]);
      await repair();
      expect([what, violations]).toEqual([what, expect.arrayContaining([expect.stringMatching(reported)])]);
    }
    matrix.intactObjects.clear();
    await checkInvariants(matrix, [run]);
  });
}
