import type { Input } from '@millrace/contracts/kit/operation';
import type { findUndefinedVariables } from '@millrace/contracts/workflows/secrets';
import { variableKey } from '@millrace/graph/variables/list-plan-variables';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';

/** The variables that a run uses, and the user who starts it. */
export type RequestedVariables = Input<typeof findUndefinedVariables>['body'];

interface VariableKey {
  key: string;
  /** The space in which the name is looked up. */
  space: string;
  name: string;
}

/** The variables that a run uses, each with the key of its value. */
export const listVariableKeys = ({ space, names, modules = [] }: RequestedVariables): VariableKey[] => [
  ...names.map((name) => ({ key: variableKey(null, name), space, name })),
  ...modules.flatMap((module) =>
    module.names.map((name) => ({ key: variableKey(module.space, name), space: module.space, name })),
  ),
];

/**
 * Joins the keys `k` of a run with all variables `v` that define them. A user's own variables are available in the
 * run's space only; in modules of other spaces the editors of those spaces could read them.
 */
export function joinDefinedVariables(requested: RequestedVariables): Prisma.Sql {
  const keys = listVariableKeys(requested);
  const { vault, space, user } = requested;
  return Prisma.sql`unnest(${keys.map(({ key }) => key)}::text[], ${keys.map((key) => key.space)}::uuid[],
      ${keys.map(({ name }) => name)}::text[]) AS k(key, space, name)
    JOIN workflows.secret_variable v ON v.vault_id = ${vault}::uuid AND v.name = k.name AND (v.scope_type = 'vault'
      OR (v.scope_type = 'space' AND v.space_id = k.space)
      OR (v.scope_type = 'user' AND v.user_id = ${user}::uuid AND k.space = ${space}::uuid))`;
}

/** Keys of the requested variables that are not defined. Reads no values. */
export async function listUndefinedKeys(
  client: Pick<Transaction, '$queryRaw'>,
  requested: RequestedVariables,
): Promise<string[]> {
  const keys = listVariableKeys(requested);
  if (keys.length === 0) return [];
  const rows = await client.$queryRaw<{ key: string }[]>`SELECT DISTINCT k.key FROM ${joinDefinedVariables(requested)}`;
  const defined = new Set(rows.map(({ key }) => key));
  return keys.flatMap(({ key }) => (defined.has(key) ? [] : [key]));
}
