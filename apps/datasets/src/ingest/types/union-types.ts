import type { ColumnType } from '@millrace/contracts/datasets/datasets';

/**
 * The narrowest type for values of both types: double for bigint and double, json if one is json, otherwise text. In a key,
 * bigint and double are text, because 1 and 1.0 would be the same key.
 */
export function unionTypes(left: ColumnType, right: ColumnType, inKey = false): ColumnType {
  if (left === right) return left;
  if (left === 'json' || right === 'json') return 'json';
  if (!inKey && isNumber(left) && isNumber(right)) return 'double';
  return 'text';
}

const isNumber = (type: ColumnType): boolean => type === 'bigint' || type === 'double';
