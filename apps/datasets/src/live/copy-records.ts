import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';

/** Records that hang on a dataset and have no id of their own. */
type Kind = 'dataset_column' | 'source' | 'generation';

/** Copies what one dataset has of a kind to another, but for `changed` by column; in Postgres, for there may be many. */
export async function copyRecords(
  tx: Pick<Transaction, '$executeRaw'>,
  kind: Kind,
  from: string,
  to: string,
  changed: Record<string, null> = {},
): Promise<void> {
  const table = Prisma.raw(`datasets.${kind}`);
  const change = JSON.stringify({ dataset_id: to, ...changed });
  await tx.$executeRaw`
    INSERT INTO ${table} SELECT (jsonb_populate_record(r, ${change}::jsonb)).* FROM ${table} r
    WHERE dataset_id = ${from}::uuid`;
}
