import { Prisma } from '@millrace/persistence/generated/client';

/**
 * The condition that a task is among these; null means all. It is not one condition with OR for both: Postgres would compare each
 * task with each index, which takes minutes for 100,000 of them.
 * @param column the index of the task: `index` of a task, `task` of a subjob
 */
export const isChosen = (indexes: readonly number[] | null, column: 'index' | 'task' = 'index'): Prisma.Sql =>
  indexes === null ? Prisma.sql`true` : Prisma.sql`${Prisma.raw(column)} = ANY(${[...indexes]}::int[])`;
