import { Prisma } from '@millrace/persistence/generated/client';

/**
 * SQL: rows as a table `c`. Postgres takes any recordset for 100 rows, and therefore reads a whole table to find a few of its
 * rows. The limit, which removes none, says how many there are.
 * @param columns names and types, such as `run bigint, segment int`
 * @param rows objects with these keys, serialized, and how many they are
 */
export const recordset = (columns: string, { json, count }: { json: string; count: number }): Prisma.Sql => Prisma.sql`
  (SELECT * FROM jsonb_to_recordset(${json}::jsonb) AS ${Prisma.raw(`c(${columns})`)} LIMIT ${count}::int) AS c`;
