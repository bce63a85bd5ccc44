import type { Condition, Test, Value } from '../fields/condition.js';
import type { Field } from '../fields/field.js';
import { formatDecimal } from '../parse/read-number.js';
import { type Inet, readInet } from '../values/inet.js';
import { readMoment } from '../values/moment.js';
import { compareInet, containsInet } from './compare-inet.js';
import { compareText, formatAsText } from './format-as-text.js';

/**
 * Whether a row meets a condition. Specs compare the SQL of `compileCondition` with this function. Values are in the form of
 * `readField`, by column name; null and undefined count as missing. Regular expressions are those of JavaScript, which agree
 * with Postgres on literals, `.`, classes, groups, alternatives, greedy quantifiers, `^` and `$`.
 */
export function evaluate(condition: Condition | null, row: ReadonlyMap<string, unknown>): boolean {
  if (condition === null) return true;
  if (condition.kind === 'test') return meetsTest(condition, readPath(condition.field, row)) !== condition.negated;
  const { kind, items } = condition;
  return kind === 'and' ? items.every((item) => evaluate(item, row)) : items.some((item) => evaluate(item, row));
}

function readPath({ column, path = [] }: Field, row: ReadonlyMap<string, unknown>): unknown {
  return path.reduce<unknown>((value, segment) => readPart(value, segment), row.get(column.name)) ?? null;
}

/** As `#>`: a negative index of an array counts from its end. */
function readPart(value: unknown, segment: string): unknown {
  if (Array.isArray(value)) return /^\s*[+-]?\d+$/.test(segment) ? (value as unknown[]).at(Number(segment)) : null;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return null;
  return (value as Record<string, unknown>)[segment];
}

function meetsTest(test: Test, value: unknown): boolean {
  if (value === null) return test.test === 'null';
  const { type } = test.field.column;
  const first = test.values[0];
  switch (test.test) {
    case 'null':
      return false;
    case 'regex':
      return regexOf(first!.text).test(formatAsText(type, value));
    case 'like':
      return likeOf(first!.text).test(formatAsText(type, value));
    case 'has':
      return Array.isArray(value) && value.some((element) => isSameJson(element, first!));
    case '=':
    case 'in':
      return test.values.some((one) => isEqual(value, one, type));
    default:
      return isInRange(compare(value, first!, type), test.test);
  }
}

function isEqual(value: unknown, operand: Value, type: string): boolean {
  if (type === 'inet') return containsInet(inetOf(operand.text), inetOf(value));
  if (type === 'json')
    return operand.type === 'json' ? isSameJson(value, operand) : formatAsText('json', value) === operand.text;
  return compare(value, operand, operand.type) === 0;
}

const isSameJson = (value: unknown, operand: Value): boolean =>
  typeof value === 'boolean'
    ? operand.type === 'json' && String(value) === operand.text
    : compareJson(value, operand) === 0;

/** Less than, equal to or greater than 0; NaN if the values are of different kinds. */
function compare(value: unknown, operand: Value, type: string): number {
  switch (type) {
    case 'bigint':
      return compareNumbers(BigInt(value as bigint | number | string), BigInt(operand.text));
    case 'double':
      return compareNumbers(Number(value), Number(operand.text));
    case 'timestamp':
      return compareNumbers(momentOf(value), momentOf(operand.text));
    case 'inet':
      return compareInet(inetOf(value), inetOf(operand.text));
    case 'json':
      return compareJson(value, operand);
    default:
      return compareText(String(value), operand.text);
  }
}

function compareJson(value: unknown, operand: Value): number {
  if (operand.type === 'json')
    return typeof value === 'number' ? compareNumbers(numberOf(formatDecimal(value)), numberOf(operand.text)) : NaN;
  return typeof value === 'string' ? compareText(value, operand.text) : NaN;
}

function isInRange(sign: number, test: '<' | '<=' | '>' | '>='): boolean {
  if (test === '<') return sign < 0;
  if (test === '<=') return sign <= 0;
  return test === '>' ? sign > 0 : sign >= 0;
}

/** Compares numbers of both kinds by their exact value. */
function compareNumbers(one: number | bigint, other: number | bigint): number {
  if (one < other) return -1;
  return one > other ? 1 : one <= other ? 0 : NaN;
}

/** Retains all digits of whole numbers, as Postgres does in json. */
const numberOf = (text: string): number | bigint => (/^-?\d+$/.test(text) ? BigInt(text) : Number(text));

function momentOf(value: unknown): bigint {
  const moment = readMoment(String(value), new Date(0));
  if (moment === null) throw new TypeError(`not a date: ${String(value)}`);
  return moment;
}

function inetOf(value: unknown): Inet {
  const inet = readInet(String(value));
  if (inet === null) throw new TypeError(`not an address: ${String(value)}`);
  return inet;
}

/** In Postgres, `.` matches line breaks, and `^` and `$` match only at the ends of the text. */
function regexOf(pattern: string): RegExp {
  const ignoresCase = pattern.startsWith('(?i)');
  return new RegExp(ignoresCase ? pattern.slice(4) : pattern, ignoresCase ? 'sui' : 'su');
}

function likeOf(pattern: string): RegExp {
  const parts = pattern.matchAll(/\\([^])|(%)|(_)|([^])/gu);
  const source = Array.from(parts, ([, escaped, any, one, plain]) => {
    if (any !== undefined) return '.*';
    return one !== undefined ? '.' : (escaped ?? plain ?? '').replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
  });
  return new RegExp(`^${source.join('')}$`, 'su');
}
