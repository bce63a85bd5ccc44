import type { RunStatus } from '@millrace/contracts/runs/statuses';
import type { MatrixWorkflow } from '../edges/matrix-workflow.js';
import type { Matrix } from '../matrix/start-matrix.js';

/** A run of a case, and how it must have ended. */
export interface ExpectedRun {
  id: string;
  workflow: MatrixWorkflow;
  status: RunStatus;
  /** How often it has ended. */
  ends: number;
  isDeleted: boolean;
}

export interface Invariant {
  statement: string;
  /** @returns what violates it, in words that name the record */
  find(matrix: Matrix, runs: readonly ExpectedRun[]): Promise<string[]>;
}
