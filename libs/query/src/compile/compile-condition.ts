import { type SqlText } from '../fields/column.js';
import { type Condition, type Test, type Value } from '../fields/condition.js';
import { readInet } from '../values/inet.js';
import { Binder } from './binder.js';
import { boundSql, CASTS, columnSql, textSql, valueSql } from './field-sql.js';

/** Compiles a condition, or `true` without a condition. Its parameters are numbered from `firstParameter`. */
export function compileCondition(condition: Condition | null, firstParameter = 1): SqlText {
  const binder = new Binder(firstParameter);
  const text = conditionSql(condition, binder);
  return { text, values: binder.values };
}

export function conditionSql(condition: Condition | null, binder: Binder): string {
  if (condition === null) return 'true';
  if (condition.kind === 'test') return testSql(condition, binder);
  const keyword = condition.kind === 'and' ? ' AND ' : ' OR ';
  return `(${condition.items.map((item) => conditionSql(item, binder)).join(keyword)})`;
}

/** `IS NOT TRUE` is the exact complement and includes rows without a value. A positive test that is NULL counts as false. */
function testSql(test: Test, binder: Binder): string {
  if (test.test === 'null') return `${nullableSql(test, binder)} IS ${test.negated ? 'NOT ' : ''}NULL`;
  const sql = positiveSql(test, binder);
  return test.negated ? `(${sql}) IS NOT TRUE` : sql;
}

/** At a path, json null counts as a missing value: `#>>` returns NULL for it. */
const nullableSql = ({ field }: Test, binder: Binder): string =>
  field.path === undefined ? columnSql(field) : textSql(field, binder);

function positiveSql(test: Test, binder: Binder): string {
  const { field, values } = test;
  const first = values[0]!;
  switch (test.test) {
    case 'like':
      return `${textSql(field, binder)} LIKE ${boundSql('text', first.text, binder)}`;
    case 'regex':
      return `${textSql(field, binder)} ~ ${boundSql('text', first.text, binder)}`;
    case 'has':
      return `${valueSql(field, binder)} @> ${binder.bind(`[${jsonOf(first)}]`)}::jsonb`;
    case 'in':
      return field.column.type === 'json' ? jsonInSql(test, binder) : inSql(test, binder);
    case '=':
      return field.column.type === 'json' ? jsonEqualSql(test, binder) : equalSql(test, binder);
    default:
      return field.column.type === 'json' ? jsonRangeSql(test, binder) : rangeSql(test, binder);
  }
}

function equalSql({ field, values: [value] }: Test, binder: Binder): string {
  const operator = field.column.type === 'inet' && isNetwork(value!) ? '<<=' : '=';
  return `${columnSql(field)} ${operator} ${binder.bind(value!.text)}::${CASTS[field.column.type]}`;
}

function inSql({ field, values }: Test, binder: Binder): string {
  const operator = field.column.type === 'inet' && values.some(isNetwork) ? '<<=' : '=';
  const list = binder.bindList(values.map(({ text }) => text));
  return `${columnSql(field)} ${operator} ANY(${list}::${CASTS[field.column.type]}[])`;
}

/** A single address contains only itself, so `=` can be used, which any index supports. */
function isNetwork({ text }: Value): boolean {
  const inet = readInet(text);
  return inet !== null && inet.bits < inet.bytes.length * 8;
}

const rangeSql = ({ field, test, values: [value] }: Test, binder: Binder): string =>
  `${columnSql(field)} ${test} ${boundSql(field.column.type, value!.text, binder)}`;

function jsonEqualSql({ field, values: [value] }: Test, binder: Binder): string {
  if (value!.type === 'json') return `${valueSql(field, binder)} = ${binder.bind(value!.text)}::jsonb`;
  return `${textSql(field, binder)} = ${binder.bind(value!.text)}::text`;
}

function jsonInSql({ field, values }: Test, binder: Binder): string {
  const { json = [], text = [] } = Object.groupBy(values, ({ type }) => (type === 'json' ? 'json' : 'text'));
  const lists: string[] = [];
  if (json.length > 0) lists.push(`${valueSql(field, binder)} = ANY(${bindTexts(json, binder)}::jsonb[])`);
  if (text.length > 0) lists.push(`${textSql(field, binder)} = ANY(${bindTexts(text, binder)}::text[])`);
  return `(${lists.join(' OR ')})`;
}

const bindTexts = (values: Value[], binder: Binder): string => binder.bindList(values.map(({ text }) => text));

/** Compares numbers only with numbers and texts only with texts. jsonb itself compares values of different types. */
function jsonRangeSql({ field, test, values: [value] }: Test, binder: Binder): string {
  const kind = `jsonb_typeof(${valueSql(field, binder)})`;
  if (value!.type !== 'json')
    return `(${kind} = 'string' AND ${textSql(field, binder)} ${test} ${boundSql('text', value!.text, binder)})`;
  return `(${kind} = 'number' AND ${valueSql(field, binder)} ${test} ${binder.bind(value!.text)}::jsonb)`;
}

const jsonOf = ({ type, text }: Value): string => (type === 'json' ? text : JSON.stringify(text));
