import type { Input } from '@millrace/contracts/kit/operation';
import type { findUndefinedVariables } from '@millrace/contracts/workflows/secrets';
import { variableKey } from '@millrace/graph/variables/list-plan-variables';
import { Prisma } from '@millrace/persistence/generated/client';

/** The variables that a run takes, and for whom. */
export type RequestedVariables = Input<typeof findUndefinedVariables>['body'];

interface VariableKey {
  key: string;
  /** In which the name is looked up. */
  space: string;
  name: string;
}

/** The variables that a run takes, each with the key of its value. */
export const listVariableKeys = ({ space, names, modules = [] }: RequestedVariables): VariableKey[] => [
  ...names.map((name) => ({ key: variableKey(null, name), space, name })),
  ...modules.flatMap((module) =>
    module.names.map((name) => ({ key: variableKey(module.space, name), space: module.space, name })),
  ),
];

/**
 * Keys `k` of a run, each with all variables `v` that define it. A user's own variables count in the space of the run
 * alone: in modules of other spaces the editors of those spaces could read them.
 */
export function joinDefinedVariables(taken: RequestedVariables): Prisma.Sql {
  const keys = listVariableKeys(taken);
  const { vault, space, user } = taken;
  return Prisma.sql`unnest(${keys.map(({ key }) => key)}::text[], ${keys.map((one) => one.space)}::uuid[],
      ${keys.map(({ name }) => name)}::text[]) AS k(key, space, name)
    JOIN workflows.secret_variable v ON v.vault_id = ${vault}::uuid AND v.name = k.name AND (v.scope_type = 'vault'
      OR (v.scope_type = 'space' AND v.space_id = k.space)
      OR (v.scope_type = 'user' AND v.user_id = ${user}::uuid AND k.space = ${space}::uuid))`;
}
