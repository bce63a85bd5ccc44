import type { FaultCase } from '../cases/fault-case.js';
import { APPROACHES } from '../edges/approach-edge.js';
import { reachEdge } from '../edges/reach-edge.js';
import { injectFault } from '../inject/inject-fault.js';
import { checkInvariants } from '../invariants/check-invariants.js';
import type { Matrix } from './start-matrix.js';

/** Brings a run to the edge, injects the fault, lets everything settle, and checks all invariants. */
export async function runCase(matrix: Matrix, one: FaultCase): Promise<void> {
  const { status, ends, isDeleted = false } = APPROACHES[one.edge];
  matrix.pidsOf('worker');
  const edge = await reachEdge(matrix, one);
  try {
    await injectFault(one.fault, edge);
  } finally {
    await matrix.recover();
  }
  await edge.runEnded();
  matrix.pidsOf('worker');
  await checkInvariants(matrix, [{ id: edge.run, workflow: edge.workflow, status, ends, isDeleted }]);
}
