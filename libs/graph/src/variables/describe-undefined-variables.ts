import { type Plan } from '../plan/plan.js';
import { usedPrimitives } from '../run/resolve-run-inputs.js';
import { findPlaces, variableKey, type VariablePlace } from './list-plan-variables.js';

/** Most places that are listed. */
const MAX_LISTED = 50;

/**
 * Why a run cannot start because secret variables are not defined, by `<node>.<variable>`; empty if nothing in the plan
 * needs one of them.
 * @param given ids of the inputs whose value the run gives: their defaults are not used
 * @param missing keys (`variableKey`) of the variables that are not defined
 */
export function describeUndefinedVariables(
  plan: Plan,
  given: ReadonlySet<string>,
  missing: readonly string[],
): Record<string, string> {
  const used = usedPrimitives(plan);
  const isFilled = ({ isDefault, node }: VariablePlace) => !isDefault || (used.has(node) && !given.has(node));
  const places = findPlaces(plan).filter(
    (place) => isFilled(place) && missing.includes(variableKey(place.space, place.name)),
  );
  return Object.fromEntries(
    places.slice(0, MAX_LISTED).map((place) => [`${place.node}.${place.name}`, describe(place)]),
  );
}

const describe = ({ node, name, space }: VariablePlace): string => {
  const what = `${JSON.stringify(node)} uses the secret variable ${name}, which is not defined`;
  return space === null
    ? `${what}: add it to the secret variables of the space, of the vault or to your own, or remove \${{vars.${name}}}`
    : `${what} for its module: add it to the secret variables of the module's space or of the vault`;
};
