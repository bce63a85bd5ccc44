import type { Transaction } from '@millrace/persistence/database';
import { joinDefinedVariables, listVariableKeys, type RequestedVariables } from './requested-variables.js';

/** Keys of the variables that a run takes and nothing defines. Reads no value. */
export async function listUndefinedKeys(
  client: Pick<Transaction, '$queryRaw'>,
  taken: RequestedVariables,
): Promise<string[]> {
  const keys = listVariableKeys(taken);
  if (keys.length === 0) return [];
  const rows = await client.$queryRaw<{ key: string }[]>`SELECT DISTINCT k.key FROM ${joinDefinedVariables(taken)}`;
  const defined = new Set(rows.map(({ key }) => key));
  return keys.flatMap(({ key }) => (defined.has(key) ? [] : [key]));
}
