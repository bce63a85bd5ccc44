import type { Transaction } from '@millrace/persistence/database';
import { definedFor, keysOf, type TakenVariables } from './requested-variables.js';

/** Keys of the variables that a run takes and nothing defines. Reads no value. */
export async function findUndefined(client: Pick<Transaction, '$queryRaw'>, taken: TakenVariables): Promise<string[]> {
  const keys = keysOf(taken);
  if (keys.length === 0) return [];
  const rows = await client.$queryRaw<{ key: string }[]>`SELECT DISTINCT k.key FROM ${definedFor(taken)}`;
  const defined = new Set(rows.map(({ key }) => key));
  return keys.flatMap(({ key }) => (defined.has(key) ? [] : [key]));
}
