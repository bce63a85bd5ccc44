import type { Payload } from '@millrace/contracts/kit/event';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import { fetchInputs } from '@millrace/contracts/runs/engine';
import type { InputType } from '@millrace/graph/plan/plan';
import { listUsedPrimitives } from '@millrace/graph/run/resolve-run-inputs';
import type { Transaction } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';
import type { PlanIndex } from '../engine/plans/plan-index.js';

type InputFetch = Payload<typeof fetchInputs>['inputs'][number];

/** Whether inputs of the type are stored by their content. */
export const isFileType = (type: InputType): type is 'FILE' | 'FOLDER' => type === 'FILE' || type === 'FOLDER';

/** Id of the job in the queue; a cancellation names the fetch by it. */
export const fetchId = (run: bigint): string => `fetch-${run}`;

/** Finds FILE and FOLDER inputs that a node uses and whose value is still a URL. */
export function findInputsToFetch({ plan }: PlanIndex, inputs: Record<string, InputValue>): InputFetch[] {
  const found = Object.entries(inputs).flatMap(([primitive, url]) => {
    const type = plan.primitives[primitive]?.type;
    return type && isFileType(type) && typeof url === 'string' ? [{ primitive, type, url }] : [];
  });
  if (found.length === 0) return [];
  const used = listUsedPrimitives(plan);
  return found.filter(({ primitive }) => used.has(primitive));
}

/** Enqueues a job with which a worker fetches inputs. */
export function enqueueFetch(tx: Transaction, run: Pick<Run, 'id' | 'vaultId'>, inputs: InputFetch[]): void {
  tx.enqueue(fetchInputs, { run: String(run.id), vault: run.vaultId, inputs }, { id: fetchId(run.id) });
}
