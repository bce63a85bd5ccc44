import { type Problem } from '../check/problem.js';
import { type Plan } from '../plan/plan.js';
import { usedPrimitives } from './resolve-run-inputs.js';

/** An input that a run can be given. */
export interface AcceptedInput {
  id: string;
  label?: string;
  type: string;
  /** Whether a run cannot start without a value for it. */
  required: boolean;
}

/** More would make a failure hard to read; a workflow with so many has an editor that lists them. */
const MAX_LISTED = 100;

/**
 * What a failure says of inputs that do not fit a workflow: each problem under `<prefix>.<input>`, with a hint if there is
 * one, and under `accepted` the inputs that the workflow has, if one is unknown or missing. Empty if there are no errors.
 * @param prefix place of the inputs in the request, such as `body.inputs`
 */
export function describeInputErrors(plan: Plan, errors: readonly Problem[], prefix: string): Record<string, unknown> {
  if (errors.length === 0) return {};
  const places = errors.map(({ port, message, hint }) => [
    port === undefined ? prefix : `${prefix}.${port}`,
    hint === undefined ? message : `${message}; ${hint}`,
  ]);
  const isAboutNames = errors.some(({ code }) => code === 'unknown_input' || code === 'missing_input');
  return {
    ...(Object.fromEntries(places) as Record<string, string>),
    ...(isAboutNames && { accepted: listAcceptedInputs(plan) }),
  };
}

/** Inputs of the workflow itself; those inside its modules have a path with a slash and keep their defaults. */
export function listAcceptedInputs(plan: Plan): AcceptedInput[] {
  const used = usedPrimitives(plan);
  return Object.entries(plan.primitives)
    .filter(([id]) => !id.includes('/'))
    .slice(0, MAX_LISTED)
    .map(([id, { label, type, value }]) => ({
      id,
      ...(label !== '' && { label }),
      type,
      required: value === null && used.has(id),
    }));
}
