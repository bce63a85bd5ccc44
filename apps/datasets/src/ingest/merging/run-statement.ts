import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';

/**
 * Runs a statement that consists of numbers and of names made of numbers.
 * @returns the number of affected rows
 */
export const runStatement = (tx: Transaction, sql: string): Promise<number> => tx.$executeRaw(Prisma.raw(sql));

/** Runs such a statement as a query and returns its rows. */
export const runQuery = <R>(tx: Transaction, sql: string): Promise<R[]> => tx.$queryRaw<R[]>(Prisma.raw(sql));
