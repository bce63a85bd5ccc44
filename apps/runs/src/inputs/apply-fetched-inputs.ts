import type { Input } from '@millrace/contracts/kit/operation';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import type { reportInputs } from '@millrace/contracts/runs/engine';
import { inputName } from '@millrace/graph/run/resolve-run-inputs';
import type { Transaction } from '@millrace/persistence/database';
import { keepContents } from '../contents/keep-contents.js';
import { makeReady } from '../engine/settle/make-ready.js';
import { failRun } from '../engine/stop/stop-run.js';
import type { LockedRun } from '../engine/transaction/locked-run.js';
import { findInputsToFetch } from './input-fetch.js';

/** `contents`: the files of fetched folders whose lists are too long for the message. */
type FetchedInputs = Omit<Input<typeof reportInputs>['body'], 'run'> & {
  contents?: readonly string[];
};

/** Characters of the error that the run gets. */
const MAX_ERROR_CHARACTERS = 2_000;

/**
 * Applies the inputs that a worker has fetched: the run starts, or fails with the reasons. It changes only a run that still
 * waits for them, so a result that arrives twice, or after a stop, changes nothing.
 */
export async function applyFetchedInputs(
  tx: Transaction,
  run: LockedRun,
  { inputs, problems, contents = [] }: FetchedInputs,
): Promise<void> {
  if (!run.row.fetching || run.isEnding) return;
  const expected = findInputsToFetch(run.plan, run.row.inputs as Record<string, InputValue>);
  const fetched = new Map(inputs.map(({ primitive, value }) => [primitive, value]));
  const reasons = new Map(problems.map(({ primitive, message }) => [primitive, message]));
  const values: Record<string, InputValue> = {};
  const missing: string[] = [];
  for (const { primitive, type } of expected) {
    const value = fetched.get(primitive);
    if (value !== undefined && isOfType(value, type)) values[primitive] = value;
    else
      missing.push(`input ${inputName(run.plan.plan, primitive)}: ${reasons.get(primitive) ?? 'it was not fetched'}`);
  }
  if (missing.length > 0) await failRun(tx, run, missing.join('; ').slice(0, MAX_ERROR_CHARACTERS));
  else {
    for (const statement of keepContents(run.id, contents)) await tx.$queryRaw(statement);
    await startTasks(tx, run, values);
  }
}

const isOfType = (value: InputValue, type: 'FILE' | 'FOLDER'): boolean =>
  typeof value === 'object' && (type === 'FOLDER') === 'folder' in value;

async function startTasks(tx: Transaction, run: LockedRun, values: Record<string, InputValue>): Promise<void> {
  const { segments } = run.plan.plan;
  const first = segments.filter(({ scope, needs }) => scope === null && needs.length === 0).map(({ index }) => index);
  await tx.$executeRaw`
    UPDATE runs.run SET fetching = false, inputs = inputs || ${JSON.stringify(values)}::jsonb WHERE id = ${run.id}`;
  run.row.fetching = false;
  for (const segment of first) await makeReady(tx, run, segment, null);
  // A dispatch in the same transaction reads them from this row.
  run.row.inputs = { ...(run.row.inputs as Record<string, InputValue>), ...values };
}
