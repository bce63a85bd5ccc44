import type { Comparison, Expression, Literal, Operator } from '../parse/expression.js';
import { MAX_PATTERN_LENGTH } from '../parse/limits.js';
import { quote, refuse } from '../parse/query-error.js';
import { EXPECTED, readValue } from '../values/read-value.js';
import { type ColumnIndex, indexColumns, type Column } from './column.js';
import type { Condition, TestName, Value } from './condition.js';
import type { Field } from './field.js';
import { findField } from './find-field.js';

/** The time of `now` in a query. It is the same for the whole query. */
export interface Clock {
  now: Date;
}

/**
 * Finds the columns that a query names, reads its values by the types of the columns, and moves NOT to the individual tests
 * (negation normal form). De Morgan's laws apply because each test is either true or false.
 * @throws QueryError if a column is unknown, or an operator or a value does not match the type of a column
 */
export function checkQuery(expression: Expression | null, columns: readonly Column[], clock: Clock): Condition | null {
  return expression === null ? null : check(expression, false, { index: indexColumns(columns), now: clock.now });
}

interface CheckContext {
  index: ColumnIndex;
  now: Date;
}

function check(expression: Expression, negated: boolean, context: CheckContext): Condition {
  switch (expression.kind) {
    case 'not':
      return check(expression.item, !negated, context);
    case 'and':
    case 'or':
      return {
        kind: (expression.kind === 'and') === negated ? 'or' : 'and',
        items: expression.items.map((item) => check(item, negated, context)),
      };
    case 'comparison':
      return checkComparison(expression, negated, context);
  }
}

const TESTS: Readonly<Record<Operator, { test: TestName; negated: boolean }>> = {
  '=': { test: '=', negated: false },
  '!=': { test: '=', negated: true },
  '<': { test: '<', negated: false },
  '<=': { test: '<=', negated: false },
  '>': { test: '>', negated: false },
  '>=': { test: '>=', negated: false },
  '~': { test: 'regex', negated: false },
  '!~': { test: 'regex', negated: true },
  LIKE: { test: 'like', negated: false },
  'NOT LIKE': { test: 'like', negated: true },
  IN: { test: 'in', negated: false },
  'NOT IN': { test: 'in', negated: true },
  HAS: { test: 'has', negated: false },
  'NOT HAS': { test: 'has', negated: true },
  'IS NULL': { test: 'null', negated: false },
  'IS NOT NULL': { test: 'null', negated: true },
};

function checkComparison(comparison: Comparison, isInsideNot: boolean, context: CheckContext): Condition {
  const { reference, operator, values } = comparison;
  const field = findField(reference, context.index, { part: 'q', position: reference.position });
  const { test, negated: isNegativeOperator } = TESTS[operator];
  const negated = isNegativeOperator !== isInsideNot;
  if (test === '=' && isNull(values[0])) return { kind: 'test', field, test: 'null', values: [], negated };
  checkOperator(comparison, field, test);
  return { kind: 'test', field, test, values: values.map((value) => checkValue(value, field, test, context)), negated };
}

const isNull = (literal: Literal | undefined): boolean =>
  literal !== undefined && !literal.quoted && literal.text.toUpperCase() === 'NULL';

const RANGE: ReadonlySet<TestName> = new Set<TestName>(['<', '<=', '>', '>=']);

function checkOperator({ operator, position }: Comparison, { name, column }: Field, test: TestName): void {
  const place = { part: 'q', position } as const;
  if (test === 'has' && column.type !== 'json')
    refuse(place, `HAS needs a column of type json, but ${quote(name)} is of type ${column.type}`, [
      '=',
      'IN',
      '~',
      'LIKE',
    ]);
  if (RANGE.has(test) && column.type === 'boolean')
    refuse(place, `${operator} does not accept ${quote(name)}, because the column is of type boolean`, [
      '=',
      '!=',
      'IN',
    ]);
}

function checkValue(literal: Literal, field: Field, test: TestName, { now }: CheckContext): Value {
  const place = { part: 'q', position: literal.position } as const;
  if (isNull(literal))
    refuse(place, 'null is accepted only after = and !=; write IS NULL or IS NOT NULL instead', ['a value']);
  if (test === 'like' || test === 'regex') return checkPattern(literal, test);
  const { type } = field.column;
  const value = readValue(literal, type, now);
  if (value?.type === 'json' && RANGE.has(test) && isBoolean(value))
    return refuse(place, 'true and false have no order', ['a number', 'a text']);
  if (value !== null) return value;
  const expected = EXPECTED[type];
  return refuse(place, `${quote(field.name)} is of type ${type} and needs ${expected} (got ${quote(literal.text)})`, [
    expected,
  ]);
}

const isBoolean = ({ text }: Value): boolean => text === 'true' || text === 'false';

/** Only Postgres can check whether a pattern is a valid regular expression (see `describeSqlError`). */
function checkPattern({ text, position }: Literal, test: 'like' | 'regex'): Value {
  const place = { part: 'q', position } as const;
  if (text.length > MAX_PATTERN_LENGTH) refuse(place, `a pattern is longer than ${MAX_PATTERN_LENGTH} characters`);
  if (test === 'like' && endsInEscape(text))
    refuse(place, 'a pattern after LIKE must not end in a single backslash', ['\\\\']);
  return { type: 'text', text };
}

const endsInEscape = (pattern: string): boolean => (/\\*$/.exec(pattern)?.[0].length ?? 0) % 2 === 1;
