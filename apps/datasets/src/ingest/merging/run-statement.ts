import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';

/** Runs a statement made of numbers and of names that are made of numbers; gives how many rows it touched. */
export const runStatement = (tx: Transaction, sql: string): Promise<number> => tx.$executeRaw(Prisma.raw(sql));

/** The same for a question. */
export const runQuery = <R>(tx: Transaction, sql: string): Promise<R[]> => tx.$queryRaw<R[]>(Prisma.raw(sql));
