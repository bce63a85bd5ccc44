import { type Plan } from '../plan/plan.js';
import { listUsedPrimitives } from '../run/resolve-run-inputs.js';
import { listVariableUses, variableKey, type VariableUse } from './list-plan-variables.js';

/** Entries in the details. */
const MAX_LISTED_USES = 50;

/**
 * Builds the error details for a run whose secret variables are not defined, by `<node>.<variable>`. Empty if the run uses
 * none of them.
 * @param providedIds ids of the inputs whose value the run provides, so that their defaults are not used
 * @param missing keys (`variableKey`) of the variables that are not defined
 */
export function describeUndefinedVariables(
  plan: Plan,
  providedIds: ReadonlySet<string>,
  missing: readonly string[],
): Record<string, string> {
  const used = listUsedPrimitives(plan);
  const isUsed = ({ isDefault, node }: VariableUse) => !isDefault || (used.has(node) && !providedIds.has(node));
  const uses = listVariableUses(plan).filter(
    (use) => isUsed(use) && missing.includes(variableKey(use.space, use.name)),
  );
  return Object.fromEntries(uses.slice(0, MAX_LISTED_USES).map((use) => [`${use.node}.${use.name}`, describe(use)]));
}

const describe = ({ node, name, space }: VariableUse): string => {
  const problem = `${JSON.stringify(node)} uses the secret variable ${name}, which is not defined.`;
  return space === null
    ? `${problem} Add it to the secret variables of the space, of the vault or to your own, or remove \${{vars.${name}}}.`
    : `${problem} Add it to the secret variables of its module's space or of the vault.`;
};
