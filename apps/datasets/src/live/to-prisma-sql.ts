import { Prisma } from '@millrace/persistence/generated/client';
import type { SqlText } from '@millrace/query/fields/column';

/** SQL of libs/query as a transaction takes it. Its text holds no user's, so what looks like a parameter is one. */
export function toPrismaSql({ text, values }: SqlText): Prisma.Sql {
  const strings: string[] = [];
  const bound: string[] = [];
  let end = 0;
  for (const { 0: found, 1: number, index } of text.matchAll(/\$(\d+)/g)) {
    strings.push(text.slice(end, index));
    bound.push(values[Number(number) - 1] ?? '');
    end = index + found.length;
  }
  return new Prisma.Sql([...strings, text.slice(end)], bound);
}
