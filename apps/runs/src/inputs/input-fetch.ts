import type { Payload } from '@millrace/contracts/kit/event';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import { fetchInputs } from '@millrace/contracts/runs/engine';
import type { InputType } from '@millrace/graph/plan/plan';
import type { Transaction } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';
import type { PlanIndex } from '../engine/plans/plan-index.js';

type Fetch = Payload<typeof fetchInputs>['inputs'][number];

/** Whether inputs of the type are files, which are kept by their content. */
export const isFileType = (type: InputType): type is 'FILE' | 'FOLDER' => type === 'FILE' || type === 'FOLDER';

/** Name of the job at the queue, and of what a worker is told to give up. */
export const fetchId = (run: bigint): string => `fetch-${run}`;

/** Inputs of files and folders where a URL stands still. */
export function findInputsToFetch({ plan }: PlanIndex, inputs: Record<string, InputValue>): Fetch[] {
  return Object.entries(inputs).flatMap(([primitive, url]) => {
    const type = plan.primitives[primitive]?.type;
    return type && isFileType(type) && typeof url === 'string' ? [{ primitive, type, url }] : [];
  });
}

/** Has a worker bring in what a run was given by URL. */
export function enqueueFetch(tx: Transaction, run: Pick<Run, 'id' | 'vaultId'>, inputs: Fetch[]): void {
  tx.enqueue(fetchInputs, { run: String(run.id), vault: run.vaultId, inputs }, { id: fetchId(run.id) });
}
