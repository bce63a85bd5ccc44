import { type Condition, type Test, type TestName } from './condition.js';
import { type Order } from './field.js';

/** A column for which a query can use an index. */
export interface UsedColumn {
  /** The column's name. */
  column: string;
  path?: readonly string[];
  kind: UseKind;
  /** For `ordered`: the name of the column that orders the rows. */
  by?: string;
}

/**
 * `order`: pages in the order of this column and the key. `ordered`: pages of the rows that have one value in this column, in
 * the order of another column. `trigram`: parts of a text column. `contains`: elements of a json array.
 */
export type UseKind = 'equality' | 'range' | 'order' | 'ordered' | 'trigram' | 'contains';

const KINDS: ReadonlyMap<TestName, UseKind> = new Map([
  ['=', 'equality'],
  ['in', 'equality'],
  ['<', 'range'],
  ['<=', 'range'],
  ['>', 'range'],
  ['>=', 'range'],
  ['like', 'trigram'],
  ['regex', 'trigram'],
  ['has', 'contains'],
]);

/**
 * Lists the indexes that a query can use, each once. Every test that all rows must meet can use one. An OR can use indexes only
 * if each of its branches can. A negated test uses none, because most rows of a table meet it. The order uses an index
 * on its first column.
 */
export function usedColumns(condition: Condition | null, order: readonly Order[]): UsedColumn[] {
  const used = condition === null ? [] : usedBy(condition);
  const [first] = order;
  if (first !== undefined) used.push({ column: first.field.column.name, ...pathOf(first), kind: 'order' });
  return [...new Map(used.map((use) => [JSON.stringify(use), use])).values()];
}

/**
 * Lists the columns that have one value in all rows of a query whose pages are ordered by another column. Without an index
 * on both columns, a page reads all rows with that value, or skips all other rows in the order.
 */
export function orderedColumns(condition: Condition | null, [first]: readonly Order[]): UsedColumn[] {
  if (condition === null || first === undefined || first.field.path !== undefined) return [];
  const by = first.field.column.name;
  const all = requiredTests(condition).filter(({ test, negated, field }) => test === '=' && !negated && !field.path);
  const names = new Set(all.map(({ field }) => field.column.name));
  names.delete(by);
  return [...names].map((column) => ({ column, kind: 'ordered', by }));
}

/** Tests that every row must meet. */
function requiredTests(condition: Condition): Test[] {
  if (condition.kind === 'test') return [condition];
  return condition.kind === 'and' ? condition.items.flatMap(requiredTests) : [];
}

function usedBy(condition: Condition): UsedColumn[] {
  if (condition.kind === 'test') return usedByTest(condition);
  const branches = condition.items.map(usedBy);
  return condition.kind === 'or' && branches.some((branch) => branch.length === 0) ? [] : branches.flat();
}

function usedByTest(test: Test): UsedColumn[] {
  const kind = KINDS.get(test.test);
  const isServed = kind !== undefined && !test.negated && (kind !== 'trigram' || test.field.column.type === 'text');
  return !isServed ? [] : [{ column: test.field.column.name, ...pathOf(test), kind }];
}

const pathOf = ({ field: { path } }: { field: Order['field'] }): { path?: readonly string[] } =>
  path === undefined ? {} : { path };
