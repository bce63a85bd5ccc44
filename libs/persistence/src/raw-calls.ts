import type pg from 'pg';
import { Prisma } from './generated/client.js';

export type RunStatement = (statement: Prisma.Sql) => Promise<pg.QueryResult>;

/** Replaces the raw calls of Prisma, which take a template or a `Prisma.sql`, by direct ones. */
export function rawCalls(run: RunStatement): Pick<Prisma.TransactionClient, '$queryRaw' | '$executeRaw'> {
  type Query = [query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]];
  const send = ([query, ...values]: Query) => run(query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values));
  return {
    $queryRaw: async (...query: Query) => (await send(query)).rows as unknown[],
    $executeRaw: async (...query: Query) => (await send(query)).rowCount ?? 0,
  } as Pick<Prisma.TransactionClient, '$queryRaw' | '$executeRaw'>;
}
