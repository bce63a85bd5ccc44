import type { Input } from '@millrace/contracts/kit/operation';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import type { reportInputs as contract } from '@millrace/contracts/runs/engine';
import { inputName } from '@millrace/graph/run/resolve-run-inputs';
import type { Transaction } from '@millrace/persistence/database';
import { failRun } from '../engine/stop/fail-run.js';
import type { LockedRun } from '../engine/transaction/locked-run.js';
import { findInputsToFetch } from './input-fetch.js';

type Fetched = Omit<Input<typeof contract>['body'], 'run'>;

const MAX_SHOWN = 2_000;

/**
 * Takes what a worker has fetched: the run begins, or fails with the reason. Only a run that still waits for it is touched,
 * so that an answer which comes twice, or after a stop, changes nothing.
 */
export async function applyFetchedInputs(
  tx: Transaction,
  run: LockedRun,
  { inputs, problems }: Fetched,
): Promise<void> {
  if (!run.row.fetching || run.isEnding) return;
  const wanted = findInputsToFetch(run.plan, run.row.inputs as Record<string, InputValue>);
  const fetched = new Map(inputs.map(({ primitive, value }) => [primitive, value]));
  const reasons = new Map(problems.map(({ primitive, message }) => [primitive, message]));
  const values: Record<string, InputValue> = {};
  const missing: string[] = [];
  for (const { primitive, type } of wanted) {
    const value = fetched.get(primitive);
    if (value !== undefined && isOfType(value, type)) values[primitive] = value;
    else
      missing.push(`input ${inputName(run.plan.plan, primitive)}: ${reasons.get(primitive) ?? 'it was not fetched'}`);
  }
  if (missing.length > 0) await failRun(tx, run, missing.join('; ').slice(0, MAX_SHOWN));
  else await begin(tx, run, values);
}

const isOfType = (value: InputValue, type: 'FILE' | 'FOLDER'): boolean =>
  typeof value === 'object' && (type === 'FOLDER') === 'folder' in value;

async function begin(tx: Transaction, run: LockedRun, values: Record<string, InputValue>): Promise<void> {
  const { segments } = run.plan.plan;
  const first = segments.filter(({ scope, needs }) => scope === null && needs.length === 0).map(({ index }) => index);
  await tx.$executeRaw`
    WITH begun AS (UPDATE runs.run SET fetching = false, inputs = inputs || ${JSON.stringify(values)}::jsonb WHERE id = ${run.id})
    UPDATE runs.task SET state = 'READY'
    WHERE run_id = ${run.id} AND state = 'WAITING' AND segment = ANY(${first}::int[])`;
  run.row.fetching = false;
  // What is handed out in this transaction takes them from here.
  run.row.inputs = { ...(run.row.inputs as Record<string, InputValue>), ...values };
}
