import { ValidationError } from '@millrace/contracts/kit/api-error';
import { InvalidWorkflowError } from '@millrace/graph/check/problem';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import type { Plan } from '@millrace/graph/plan/plan';
import { describeInputErrors } from '@millrace/graph/run/describe-input-errors';
import { resolveRunInputs } from '@millrace/graph/run/resolve-run-inputs';
import type { Transaction } from '@millrace/persistence/database';
import { loadModules } from '../validation/load-modules.js';
import { newNoVersionError } from './find-runnable.js';

type Client = Pick<Transaction, '$queryRaw' | 'version'>;

export interface PlannedWorkflow {
  latestVersionId: string | null;
  spaceId: string;
}

export interface GivenInputs {
  inputs: Record<string, string | boolean>;
  /** The request field that contains the inputs. */
  field: string;
}

/**
 * Refuses to set up anything that could not start a run with the workflow's latest version: there is no version, the
 * version cannot run, or the inputs do not match. Whether stored files exist is checked at each start.
 * @throws ValidationError
 */
export async function checkStartable(
  client: Client,
  vault: string,
  workflow: PlannedWorkflow,
  { inputs, field }: GivenInputs,
): Promise<Plan> {
  const plan = await planLatest(client, vault, workflow);
  const details = describeInputErrors(plan, resolveRunInputs(plan, inputs).errors, field);
  if (Object.keys(details).length > 0) throw new ValidationError(details, 'The inputs do not match the workflow.');
  return plan;
}

/** @throws ValidationError if there is no version, or the latest one cannot run */
export async function planLatest(
  client: Client,
  vault: string,
  { latestVersionId: id, spaceId: space }: PlannedWorkflow,
): Promise<Plan> {
  if (id === null) throw newNoVersionError();
  const { data: text } = await client.version.findUniqueOrThrow({ where: { id }, select: { data: true } });
  const data = JSON.parse(text) as unknown;
  const { modules, problem } = await loadModules(client, vault, { data, space });
  try {
    if (problem) throw new InvalidWorkflowError([problem]);
    return compilePlan(data, modules);
  } catch (error) {
    if (!(error instanceof InvalidWorkflowError)) throw error;
    const { problems } = error;
    const problem = problems[0]?.message ?? 'is not valid';
    throw new ValidationError(
      { workflow: problem, errors: problems },
      'The latest version of the workflow cannot run. Fix its errors and save a new version.',
    );
  }
}
