import type { Transaction } from '@millrace/persistence/database';
import type { KnownFleet } from './fleet-routes.js';

/** A fleet without workers is forgotten after this time, and its steps then go to other fleets that have what they need. */
const FLEET_RETENTION_DAYS = 30;

/** Records what fleets with workers offer, and forgets those that have had none for long. */
export async function rememberFleets(
  client: Pick<Transaction, '$executeRaw'>,
  live: readonly KnownFleet[],
): Promise<void> {
  const rows = live.map(({ name, labels, sizes }) => ({ name, labels, sizes }));
  await client.$executeRaw`
    INSERT INTO runs.fleet (name, labels, sizes, last_seen)
    SELECT name, labels, sizes, now() FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS f(name text, labels jsonb, sizes text[])
    ORDER BY name
    ON CONFLICT (name) DO UPDATE SET labels = excluded.labels, sizes = excluded.sizes, last_seen = now()`;
  await client.$executeRaw`
    DELETE FROM runs.fleet WHERE last_seen < now() - ${FLEET_RETENTION_DAYS}::int * interval '1 day'`;
}
