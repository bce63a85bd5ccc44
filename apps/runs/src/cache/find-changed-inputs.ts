import { isDeepStrictEqual } from 'node:util';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import type { Step, StepInput } from '@millrace/graph/plan/plan';
import { inputKey } from '@millrace/graph/run/build-command-line';
import type { Database } from '@millrace/persistence/database';
import { contentOf } from '../compare/compare-inputs.js';

/** More outputs than this are not compared, as a step that gathers from a large task group has. */
const MAX_OUTPUTS = 20_000;

/** A subjob, with what its inputs were. */
export interface SubjobInputs {
  run: bigint;
  step: Step;
  task: number;
  /** Values as users see them. */
  params: Record<string, unknown> | null;
  /** Inputs of its run by primitive. */
  inputs: Record<string, InputValue>;
}

/**
 * Finds the inputs that are known to differ between two subjobs, as `params` names them. The cache key has one part for all
 * files, so this compares what is stored besides: shown values, the inputs of the runs, and the outputs of earlier steps.
 */
export async function findChangedInputs(database: Database, a: SubjobInputs, b: SubjobInputs): Promise<string[]> {
  const others = new Map(b.step.inputs.map((input) => [inputKey(input), input]));
  const changed: string[] = [];
  for (const input of a.step.inputs) {
    const key = inputKey(input);
    const other = others.get(key);
    others.delete(key);
    if (!other || (await isChanged(database, key, { ...a, input }, { ...b, input: other }))) changed.push(key);
  }
  return [...changed, ...others.keys()];
}

type Side = SubjobInputs & { input: StepInput };

async function isChanged(database: Database, key: string, a: Side, b: Side): Promise<boolean> {
  if (a.params?.[key] !== b.params?.[key]) return true;
  const [from, other] = [a.input.binding, b.input.binding];
  if (from.from === 'primitive' && other.from === 'primitive') {
    return !isDeepStrictEqual(contentOf(a.inputs[from.primitive]), contentOf(b.inputs[other.primitive]));
  }
  if (from.from !== 'step' || other.from !== 'step') return false;
  const [digest, otherDigest] = [await digestOutputs(database, a, from), await digestOutputs(database, b, other)];
  return digest !== null && otherDigest !== null && digest !== otherDigest;
}

/** Hashes the outputs of a step that a subjob takes; null if there are too many. */
async function digestOutputs(
  { client }: Database,
  { run, task }: SubjobInputs,
  { step, port, gather }: Extract<StepInput['binding'], { from: 'step' }>,
): Promise<string | null> {
  const [row] = await client.$queryRaw<[{ count: number; digest: string | null }]>`
    SELECT count(*)::int AS count, md5(string_agg(concat_ws(' ', task, path, sha256), E'\\n' ORDER BY task, path COLLATE "C")) AS digest
    FROM (
      SELECT CASE WHEN ${gather} THEN task ELSE 0 END AS task, path, sha256 FROM runs.output
      WHERE run_id = ${run} AND step = ${step} AND (${gather} OR task IN (0, ${task}::int)) AND NOT replaced
        AND (${port === 'folder'} OR path = 'output.txt')
      LIMIT ${MAX_OUTPUTS + 1}) o`;
  return row.count > MAX_OUTPUTS ? null : (row.digest ?? '');
}
