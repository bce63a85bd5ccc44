import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Plan } from '@millrace/graph/plan/plan';
import { describeInputErrors, listAcceptedInputs } from '@millrace/graph/run/describe-input-errors';
import { resolveRunInputs } from '@millrace/graph/run/resolve-run-inputs';

/** The type of the input that takes the whole body of a call, or undefined if there is no suitable input. */
export function findPayloadType({ primitives }: Plan, name: string): 'STRING' | 'FILE' | undefined {
  const found = primitives[name] ?? Object.values(primitives).find(({ label }) => label !== '' && label === name);
  return found?.type === 'STRING' || found?.type === 'FILE' ? found.type : undefined;
}

/**
 * Refuses an input that cannot take the body of a call, and a workflow that needs other inputs as well, because a call
 * cannot set them.
 * @throws ValidationError
 */
export function checkPayloadInput(plan: Plan, name: string): void {
  const type = findPayloadType(plan, name);
  if (type === undefined) {
    const problem = 'must be the id or label of a STRING or FILE input of the workflow';
    throw new ValidationError({ 'body.payload_as': problem, accepted: listAcceptedInputs(plan) });
  }
  const inputs = { [name]: type === 'FILE' ? 'https://payload.invalid/' : 'payload' };
  const details = describeInputErrors(plan, resolveRunInputs(plan, inputs).errors, 'inputs');
  if (Object.keys(details).length === 0) return;
  throw new ValidationError(
    details,
    'A call could not start a run, because the workflow needs further inputs. Give them a default value.',
  );
}
