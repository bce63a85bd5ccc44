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
  /** Of the inputs in the request. */
  place: string;
}

/**
 * Refuses what would start runs of a workflow, but could start none with its latest version: there is no version, it
 * cannot run as it is, or the inputs do not fit. Whether stored files exist is left to each start.
 * @throws ValidationError
 */
export async function checkStartable(
  client: Client,
  vault: string,
  workflow: PlannedWorkflow,
  { inputs, place }: GivenInputs,
): Promise<Plan> {
  const plan = await planLatest(client, vault, workflow);
  const details = describeInputErrors(plan, resolveRunInputs(plan, inputs).errors, place);
  if (Object.keys(details).length > 0) throw new ValidationError(details, 'The inputs do not fit the workflow');
  return plan;
}

/** @throws ValidationError if there is no version, or it cannot run as it is */
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
    const what = problems[0]?.message ?? 'it is not valid';
    throw new ValidationError({ workflow: what, errors: problems }, 'The workflow cannot run as it is');
  }
}
