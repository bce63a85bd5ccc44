import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { SHAPE_SQL, toShape, type LiveShape, type ShapeRow } from './live-shape.js';

/** The current shape of a Live Table, or null if it does not exist. Does not check access. */
export async function loadShape(client: Pick<Transaction, '$queryRaw'>, id: string): Promise<LiveShape | null> {
  const statement = new Prisma.Sql([...SHAPE_SQL.split('$1')], [id]);
  const [row] = await client.$queryRaw<ShapeRow[]>(statement);
  return row ? toShape(id, row) : null;
}
