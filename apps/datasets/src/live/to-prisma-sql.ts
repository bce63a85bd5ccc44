import { Prisma } from '@millrace/persistence/generated/client';
import type { SqlText } from '@millrace/query/fields/column';

/** Converts SQL of libs/query for a transaction. Its text has no user input, so everything like `$1` is a parameter. */
export function toPrismaSql({ text, values }: SqlText): Prisma.Sql {
  const strings: string[] = [];
  const bound: string[] = [];
  let end = 0;
  for (const { 0: parameter, 1: number, index } of text.matchAll(/\$(\d+)/g)) {
    strings.push(text.slice(end, index));
    bound.push(values[Number(number) - 1] ?? '');
    end = index + parameter.length;
  }
  return new Prisma.Sql([...strings, text.slice(end)], bound);
}
