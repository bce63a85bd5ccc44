import type { Database } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';

/** Those of the modules of a stored version that are nowhere any more, unlike those that the caller may not use. */
export async function findDeletedModules(
  client: Pick<Database['client'], '$queryRaw'>,
  keys: readonly string[],
): Promise<string[]> {
  const ids = keys.filter(isId);
  if (ids.length === 0) return [];
  const gone = await client.$queryRaw<{ at: number }[]>`
    SELECT k.at::int AS at FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS k(id, at)
    WHERE NOT EXISTS (SELECT FROM workflows.version v WHERE v.id = k.id)
      AND NOT EXISTS (SELECT FROM workflows.workflow w WHERE w.id = k.id)`;
  return gone.flatMap(({ at }) => ids[at - 1] ?? []);
}
