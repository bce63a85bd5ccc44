import type { Database } from '@millrace/persistence/database';

/** Objects that one statement condemns, arms or checks. */
export const BATCH_SIZE = 1_000;

/**
 * Condemns the objects whose references were deleted. An object that is already further stays there: a reference that was
 * deleted late must not make an object that is gone look as if it were stored. References to objects that a transaction has
 * locked, because it refers to them, wait until it has ended.
 * @returns number of released references
 */
export async function condemnReleased(database: Database): Promise<number> {
  const [row] = await database.client.$queryRaw<{ released: number }[]>`
    WITH released AS MATERIALIZED (
      SELECT id, sha256 FROM contents.released ORDER BY id LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED),
    lockable AS MATERIALIZED (
      SELECT sha256 FROM contents.unused WHERE sha256 = ANY(ARRAY(SELECT sha256 FROM released))
      ORDER BY sha256 FOR UPDATE SKIP LOCKED),
    taken AS (
      DELETE FROM contents.released r WHERE id = ANY(ARRAY(
        SELECT id FROM released WHERE sha256 IN (SELECT sha256 FROM lockable)
          OR NOT EXISTS (SELECT 1 FROM contents.unused u WHERE u.sha256 = released.sha256)))
      RETURNING sha256, size),
    condemned AS (
      INSERT INTO contents.unused AS u (sha256, size, state, condemned_at)
      SELECT sha256, max(size), 'CONDEMNED', now() FROM taken GROUP BY sha256 ORDER BY sha256
      ON CONFLICT (sha256) DO UPDATE SET size = coalesce(u.size, excluded.size),
        condemned_at = CASE WHEN u.state = 'CONDEMNED' THEN excluded.condemned_at ELSE u.condemned_at END)
    SELECT count(*)::int AS released FROM taken`;
  return row?.released ?? 0;
}
