import { type Problem } from '../check/problem.js';
import { type Plan } from '../plan/plan.js';
import { listUsedPrimitives } from './resolve-run-inputs.js';

/** An input that a run accepts. */
export interface AcceptedInput {
  id: string;
  label?: string;
  type: string;
  /** Whether a run cannot start without a value for it. */
  required: boolean;
}

/** A longer list would make the error hard to read. */
const MAX_LISTED_INPUTS = 100;

/**
 * Builds the error details for inputs that do not fit a workflow: each problem with its hint under `<prefix>.<input>`. If an
 * input is unknown or missing, `accepted` lists the workflow's inputs. Empty if there are no errors.
 * @param prefix path of the inputs in the request, such as `body.inputs`
 */
export function describeInputErrors(plan: Plan, errors: readonly Problem[], prefix: string): Record<string, unknown> {
  if (errors.length === 0) return {};
  const places = errors.map(({ port, message, hint }) => [
    port === undefined ? prefix : `${prefix}.${port}`,
    hint === undefined ? message : `${message} ${hint}`,
  ]);
  const isAboutNames = errors.some(({ code }) => code === 'unknown_input' || code === 'missing_input');
  return {
    ...(Object.fromEntries(places) as Record<string, string>),
    ...(isAboutNames && { accepted: listAcceptedInputs(plan) }),
  };
}

/** Lists the inputs of the workflow itself. Inputs inside of its modules have a path with a slash and keep their defaults. */
export function listAcceptedInputs(plan: Plan): AcceptedInput[] {
  const used = listUsedPrimitives(plan);
  return Object.entries(plan.primitives)
    .filter(([id]) => !id.includes('/'))
    .slice(0, MAX_LISTED_INPUTS)
    .map(([id, { label, type, value }]) => ({
      id,
      ...(label !== '' && { label }),
      type,
      required: value === null && used.has(id),
    }));
}
