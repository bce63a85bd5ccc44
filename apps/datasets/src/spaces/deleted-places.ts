import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Database, Transaction } from '@millrace/persistence/database';

/** Much longer than any request or job that looked at a place before it was deleted. */
const KEEP_DAYS = 1;

/**
 * Notes that spaces or workflows are gone, in the transaction that deletes what is in them or for them here: nothing is
 * made there from its commit on, and what was being made before is there to be deleted when this returns.
 */
export async function recordDeletedPlaces(tx: Pick<Transaction, '$executeRaw'>, ids: readonly string[]): Promise<void> {
  const sorted = [...new Set(ids)].sort();
  await tx.$executeRaw`
    SELECT pg_advisory_xact_lock(hashtextextended('place ' || id, 0)) FROM unnest(${sorted}::text[]) AS p(id)`;
  await tx.$executeRaw`
    INSERT INTO datasets.gone_place (id) SELECT unnest(${sorted}::uuid[]) ON CONFLICT DO NOTHING`;
  await tx.$executeRaw`
    DELETE FROM datasets.gone_place WHERE deleted_at < now() - ${KEEP_DAYS}::int * interval '1 day'`;
}

/**
 * Holds that a space or workflow is not gone until the transaction ends. Whether it was there is asked of its service,
 * but a moment before.
 * @param client what is read by: another than `tx` where that sees a moment that is over
 * @throws NotFoundError
 */
export async function lockPlace(
  tx: Pick<Transaction, '$executeRaw' | 'gonePlace'>,
  what: 'Space' | 'Workflow',
  id: string,
  client: Pick<Database['client'], 'gonePlace'> = tx,
): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended('place ' || ${id.toLowerCase()}, 0))`;
  if (await client.gonePlace.findUnique({ where: { id } })) throw new NotFoundError(what);
}
