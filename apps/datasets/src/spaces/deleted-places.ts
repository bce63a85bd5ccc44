import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Database, Transaction } from '@millrace/persistence/database';

/** Much longer than any request or job can run that looked up the place before its deletion. */
const RETENTION_DAYS = 1;

/**
 * Records that spaces or workflows (places) are deleted, in the transaction that deletes their contents here. After its
 * commit nothing can be created in them. When this returns, everything that was being created in them is committed, so
 * the transaction can delete it.
 */
export async function recordDeletedPlaces(tx: Pick<Transaction, '$executeRaw'>, ids: readonly string[]): Promise<void> {
  const sorted = [...new Set(ids)].sort();
  await tx.$executeRaw`
    SELECT pg_advisory_xact_lock(hashtextextended('place ' || id, 0)) FROM unnest(${sorted}::text[]) AS p(id)`;
  await tx.$executeRaw`
    INSERT INTO datasets.gone_place (id) SELECT unnest(${sorted}::uuid[]) ON CONFLICT DO NOTHING`;
  await tx.$executeRaw`
    DELETE FROM datasets.gone_place WHERE deleted_at < now() - ${RETENTION_DAYS}::int * interval '1 day'`;
}

/**
 * Prevents that a space or workflow is recorded as deleted before the transaction ends. The service that owns it has
 * confirmed that it exists, but it may have been deleted since.
 * @param client reads the record; pass the global client if `tx` has an older snapshot
 * @throws NotFoundError if the place is deleted
 */
export async function lockPlace(
  tx: Pick<Transaction, '$executeRaw' | 'gonePlace'>,
  kind: 'Space' | 'Workflow',
  id: string,
  client: Pick<Database['client'], 'gonePlace'> = tx,
): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended('place ' || ${id.toLowerCase()}, 0))`;
  if (await client.gonePlace.findUnique({ where: { id } })) throw new NotFoundError(`${kind} ${id}`);
}
