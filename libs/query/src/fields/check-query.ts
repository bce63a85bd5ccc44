import type { Comparison, Expression, Literal, Operator } from '../parse/expression.js';
import { MAX_PATTERN_LENGTH } from '../parse/limits.js';
import { quote, refuse } from '../parse/query-error.js';
import { EXPECTED, readValue } from '../values/read-value.js';
import { type ColumnIndex, indexColumns, type Column } from './column.js';
import type { Condition, TestName, Value } from './condition.js';
import type { Field } from './field.js';
import { findField } from './find-field.js';

/** `now` of a query is one moment, given from outside. */
export interface Clock {
  now: Date;
}

/**
 * Finds the columns that a query names, reads its values by their types, and moves NOT to the single tests (negation
 * normal form, by De Morgan's laws, which hold since each test is either true or false).
 * @throws QueryError where a column is unknown, or an operator or a value does not fit a column's type
 */
export function checkQuery(expression: Expression | null, columns: readonly Column[], clock: Clock): Condition | null {
  return expression === null ? null : check(expression, false, { index: indexColumns(columns), now: clock.now });
}

interface Setting {
  index: ColumnIndex;
  now: Date;
}

function check(expression: Expression, negated: boolean, setting: Setting): Condition {
  switch (expression.kind) {
    case 'not':
      return check(expression.item, !negated, setting);
    case 'and':
    case 'or':
      return {
        kind: (expression.kind === 'and') === negated ? 'or' : 'and',
        items: expression.items.map((item) => check(item, negated, setting)),
      };
    case 'comparison':
      return checkComparison(expression, negated, setting);
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

function checkComparison(comparison: Comparison, outerNegated: boolean, setting: Setting): Condition {
  const { reference, operator, values } = comparison;
  const field = findField(reference, setting.index, { part: 'q', position: reference.position });
  const { test, negated: ownNegated } = TESTS[operator];
  const negated = ownNegated !== outerNegated;
  if (test === '=' && isNull(values[0])) return { kind: 'test', field, test: 'null', values: [], negated };
  checkOperator(comparison, field, test);
  return { kind: 'test', field, test, values: values.map((value) => checkValue(value, field, test, setting)), negated };
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
    refuse(place, `${quote(name)} is of type boolean, which ${operator} does not compare`, ['=', '!=', 'IN']);
}

function checkValue(literal: Literal, field: Field, test: TestName, { now }: Setting): Value {
  const place = { part: 'q', position: literal.position } as const;
  if (isNull(literal)) refuse(place, 'null is accepted after = and != only; otherwise write IS NULL', ['a value']);
  if (test === 'like' || test === 'regex') return checkPattern(literal, test);
  const { type } = field.column;
  const value = readValue(literal, type, now);
  if (value?.type === 'json' && RANGE.has(test) && isBoolean(value))
    return refuse(place, 'true and false have no order', ['a number', 'a text']);
  if (value !== null) return value;
  const expected = EXPECTED[type];
  return refuse(place, `${quote(field.name)} is of type ${type}: ${expected} expected, not ${quote(literal.text)}`, [
    expected,
  ]);
}

const isBoolean = ({ text }: Value): boolean => text === 'true' || text === 'false';

/** Of a pattern only Postgres knows whether it is a regular expression: see `describeSqlError`. */
function checkPattern({ text, position }: Literal, test: 'like' | 'regex'): Value {
  const place = { part: 'q', position } as const;
  if (text.length > MAX_PATTERN_LENGTH) refuse(place, `a pattern is longer than ${MAX_PATTERN_LENGTH} characters`);
  if (test === 'like' && endsInEscape(text))
    refuse(place, 'a pattern after LIKE must not end in a single backslash', ['\\\\']);
  return { type: 'text', text };
}

const endsInEscape = (pattern: string): boolean => (/\\*$/.exec(pattern)?.[0].length ?? 0) % 2 === 1;
