import { type Condition, type Test, type TestName } from './condition.js';
import { type Order } from './field.js';

/** What an index on a column would serve. */
export interface UsedColumn {
  /** The column's name. */
  column: string;
  path?: readonly string[];
  kind: UseKind;
  /** Of `ordered`: the name of the column that orders the rows. */
  by?: string;
}

/**
 * `order`: pages by this column and the key; `ordered`: such pages of the rows that have one value in another column;
 * `trigram`: parts of a text column; `contains`: elements of a json array.
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
 * What indexes a query asks for, each once: one for any test that all rows must meet, those of an OR only where each of
 * its branches has one, and none for what is negated, for that is most of a table. Of the order it is the first column.
 */
export function usedColumns(condition: Condition | null, order: readonly Order[]): UsedColumn[] {
  const used = condition === null ? [] : usedBy(condition);
  const [first] = order;
  if (first !== undefined) used.push({ column: first.field.column.name, ...pathOf(first), kind: 'order' });
  return [...new Map(used.map((one) => [JSON.stringify(one), one])).values()];
}

/**
 * Where rows with one value in a column are paged by another: each such column. Without an index on both, a page reads all
 * rows of that value, or walks the order past all others.
 */
export function orderedColumns(condition: Condition | null, [first]: readonly Order[]): UsedColumn[] {
  if (condition === null || first === undefined || first.field.path !== undefined) return [];
  const by = first.field.column.name;
  const all = requiredTests(condition).filter(({ test, negated, field }) => test === '=' && !negated && !field.path);
  const names = new Set(all.map(({ field }) => field.column.name));
  names.delete(by);
  return [...names].map((column) => ({ column, kind: 'ordered', by }));
}

/** What every row must meet. */
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
