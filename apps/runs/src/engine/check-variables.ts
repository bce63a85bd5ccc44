import { ValidationError, type ErrorDetails } from '@millrace/contracts/kit/api-error';
import { findUndefinedVariables } from '@millrace/contracts/workflows/secrets';
import { findPlaces, variableKey, type VariablePlace } from '@millrace/graph/plan-variables';
import { usedPrimitives } from '@millrace/graph/resolve-run-inputs';
import type { Asker } from '@millrace/messaging/asker';
import type { Context } from '@millrace/messaging/context';
import { takenVariables } from './taken-variables.js';
import type { RunnableVersion } from './version-cache.js';

/** Most places that the error lists. */
const MAX_LISTED = 50;

/**
 * Refuses to start a run whose steps would fail because a secret variable is not defined.
 * @param given ids of the inputs whose value the run gives: their defaults are not used
 * @throws ValidationError that names each node with its variables
 */
export async function checkVariables(
  asker: Asker,
  { caller, requestId }: Context,
  { workflow, plan }: RunnableVersion,
  given: ReadonlySet<string>,
): Promise<void> {
  const { names, modules } = takenVariables(plan.variables);
  if (names.length + modules.length === 0) return;
  const taken = { vault: caller.vault, space: workflow.space, user: caller.user, names, modules };
  const { missing } = await asker.ask(findUndefinedVariables, taken, { caller: null, requestId });
  if (missing.length === 0) return;
  const used = usedPrimitives(plan.plan);
  const isFilled = ({ isDefault, node }: VariablePlace) => !isDefault || (used.has(node) && !given.has(node));
  const places = findPlaces(plan.plan).filter(
    (place) => isFilled(place) && missing.includes(variableKey(place.space, place.name)),
  );
  if (places.length === 0) return;
  const details: ErrorDetails = {};
  for (const place of places.slice(0, MAX_LISTED)) details[`${place.node}.${place.name}`] = describe(place);
  throw new ValidationError(details, 'The workflow uses secret variables that are not defined');
}

const describe = ({ node, name, space }: VariablePlace): string => {
  const what = `${JSON.stringify(node)} uses the secret variable ${name}, which is not defined`;
  return space === null
    ? `${what}: add it to the secret variables of the space, of the vault or to your own, or remove \${{vars.${name}}}`
    : `${what} for its module: add it to the secret variables of the module's space or of the vault`;
};
