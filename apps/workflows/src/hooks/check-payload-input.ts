import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Plan } from '@millrace/graph/plan/plan';
import { describeInputErrors, listAcceptedInputs } from '@millrace/graph/run/describe-input-errors';
import { resolveRunInputs } from '@millrace/graph/run/resolve-run-inputs';

/** The input that is to take the whole body of a call: its type, or undefined if there is none that could. */
export function findPayloadType({ primitives }: Plan, name: string): 'STRING' | 'FILE' | undefined {
  const found = primitives[name] ?? Object.values(primitives).find(({ label }) => label !== '' && label === name);
  return found?.type === 'STRING' || found?.type === 'FILE' ? found.type : undefined;
}

/**
 * Refuses an input that cannot take the body of a call, and a workflow that needs other inputs besides, which no call
 * could give.
 * @throws ValidationError
 */
export function checkPayloadInput(plan: Plan, name: string): void {
  const type = findPayloadType(plan, name);
  if (type === undefined) {
    const problem = 'must be the id or label of a STRING or FILE input of the workflow';
    throw new ValidationError({ 'body.payload_as': problem, accepted: listAcceptedInputs(plan) });
  }
  const given = { [name]: type === 'FILE' ? 'https://payload.invalid/' : 'payload' };
  const details = describeInputErrors(plan, resolveRunInputs(plan, given).errors, 'inputs');
  if (Object.keys(details).length === 0) return;
  throw new ValidationError(
    details,
    'A call could not start a run: the workflow needs other inputs besides payload_as',
  );
}
