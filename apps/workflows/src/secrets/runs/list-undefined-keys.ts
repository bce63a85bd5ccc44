import type { Transaction } from '@millrace/persistence/database';
import { joinDefinedVariables, listVariableKeys, type RequestedVariables } from './requested-variables.js';

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
