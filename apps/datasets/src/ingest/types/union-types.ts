import type { ColumnType } from '@millrace/contracts/datasets/datasets';

/**
 * The narrowest type that holds values of both: bigint, double, text; with arrays or objects json; else text. In a key
 * whole numbers and others are text, for 1 and 1.0 would be one key.
 */
export function unionTypes(one: ColumnType, other: ColumnType, inKey = false): ColumnType {
  if (one === other) return one;
  if (one === 'json' || other === 'json') return 'json';
  if (!inKey && isNumber(one) && isNumber(other)) return 'double';
  return 'text';
}

const isNumber = (type: ColumnType): boolean => type === 'bigint' || type === 'double';
